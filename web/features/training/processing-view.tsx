import clsx from 'clsx'
import { Check, Clock } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ModuleWork } from '#contract/module.ts'
import * as m from '#messages'
import { sayAbout } from '#web/lib/format/say-about.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress, Spinner } from '#web/ui/loading.tsx'

/** Stage texts of specification §4: the first whose bound is above the percentage. */
const STAGES = [
  { belowPercent: 10, text: m.starting_ai_analysis() },
  { belowPercent: 30, text: m.analyzing_video_content() },
  { belowPercent: 50, text: m.extracting_learning_steps() },
  { belowPercent: 70, text: m.enhancing_with_ai() },
  { belowPercent: 90, text: m.finalizing_training_module() },
] as const

/** Ticked when the percentage is reached; bounds of specification §4. */
const CHECKLIST = [
  { atPercent: 10, label: m.check_the_video() },
  { atPercent: 30, label: m.listen_to_the_narration() },
  { atPercent: 60, label: m.write_down_what_is_said() },
  { atPercent: 90, label: m.write_the_learning_steps() },
  { atPercent: 100, label: m.put_the_training_together() },
] as const

/** The usual case ends within 60 s; half as long again is worth a word. */
const SLOW_AFTER_MS = 90_000
/** Specification §9. */
const TIMEOUT_AFTER_MS = 5 * 60_000

export function findStageText(progressPercent: number): string {
  return STAGES.find((stage) => progressPercent < stage.belowPercent)?.text ?? m.almost_ready()
}

interface ChecklistItem {
  label: string
  state: 'done' | 'current' | 'waiting'
}

/** Everything reached is done, the first that is not is what happens now. */
export function makeChecklist(progressPercent: number): ChecklistItem[] {
  const current = CHECKLIST.findIndex((item) => progressPercent < item.atPercent)
  return CHECKLIST.map(({ label, atPercent }, index) => {
    if (progressPercent >= atPercent) return { label, state: 'done' }
    return { label, state: index === current ? 'current' : 'waiting' }
  })
}

/** How the time that it takes is judged; not counted during the upload, which depends on the connection. */
type Slowness = 'uploading' | 'usual' | 'slow' | 'overdue'

/** How long a run takes. */
export interface Pace {
  slowness: Slowness
  /** What is left at the speed that the run has had so far, such as `about 3 minutes left`; empty while that is not known. */
  left: string
  /** What a run waits for before it goes on, such as `about 3 minutes`; empty while it is worked on. */
  waits: string
}

export function judgePace(elapsedMs: number): Slowness {
  if (elapsedMs >= TIMEOUT_AFTER_MS) return 'overdue'
  return elapsedMs >= SLOW_AFTER_MS ? 'slow' : 'usual'
}

/** How far a run was at a moment of its time. */
interface Mark {
  progress: number
  seconds: number
}

/** A speed is known once so much has been done in so much time. */
const MEASURED = { progress: 5, seconds: 10 } as const

/** What is left of a run at the speed that it has had since a mark; empty while too little has been seen. */
export function estimateLeft(since: Mark, now: Mark): string {
  const [done, took] = [now.progress - since.progress, now.seconds - since.seconds]
  if (done < MEASURED.progress || took < MEASURED.seconds) return ''
  return m.time_left({ about: sayAbout(((100 - now.progress) * took) / done) })
}

/** Says what a run waits for, and for how long as far as that is known. */
export function describeWait({ before, seconds }: NonNullable<ModuleWork['waiting']>): string {
  const about = seconds === null ? '' : sayAbout(seconds)
  if (before === 0) return about && m.next_try_in_about({ about })
  return [m.behind_other_videos({ count: before }), about].filter(Boolean).join(', ')
}

interface ProcessingViewProps {
  /** 0–100. */
  progress: number
  /** The server's own words for what it does now; empty when it has not answered yet. */
  message: string
  pace: Pace
  onCheckAgain: () => void
}

/** What an uploaded video goes through, until its first steps are here. */
export function ProcessingView({ progress, message, pace, onCheckAgain }: ProcessingViewProps) {
  return (
    <div className="@container grid grid-cols-1 gap-4">
      <Card className="p-5 sm:p-6">
        <section aria-labelledby="processing-heading">
          <h2 id="processing-heading" className="sr-only">
            {m.processing_state()}
          </h2>
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <p role="status" className="text-lg font-semibold sm:text-xl">
                {findStageText(progress)}
              </p>
              <p className="mt-0.5 min-h-5 text-sm text-ink-soft">{addLeft(message, pace.waits || pace.left)}</p>
            </div>
            <p className="text-3xl leading-none font-semibold tracking-tight text-brand tabular-nums sm:text-4xl">
              {progress}%
            </p>
          </div>
          <Progress value={progress} label={m.processing_progress()} className="mt-4" />
          <ul className="mt-5 grid gap-3 @2xl:grid-cols-5">
            {makeChecklist(progress).map((item) => (
              <ChecklistRow key={item.label} {...item} />
            ))}
          </ul>
        </section>
      </Card>
      <PaceNote pace={pace} onCheckAgain={onCheckAgain} />
    </div>
  )
}

const MARKS = {
  done: { spoken: m.done_spoken(), icon: <Check aria-hidden="true" className="size-3.5" strokeWidth={3} /> },
  current: { spoken: m.in_progress(), icon: <Spinner className="size-4" /> },
  waiting: { spoken: m.to_do(), icon: null },
} as const

function ChecklistRow({ label, state }: ChecklistItem) {
  const { spoken, icon } = MARKS[state]
  return (
    <li
      className={clsx(
        'flex items-center gap-3 text-sm @2xl:items-start @2xl:gap-2',
        state === 'waiting' ? 'text-ink-faint' : 'text-ink',
      )}
    >
      <span
        className={clsx(
          'inline-flex size-6 shrink-0 items-center justify-center rounded-full transition-colors',
          state === 'done' && 'bg-brand text-on-brand',
          state === 'current' && 'text-brand',
          state === 'waiting' && 'border border-line',
        )}
      >
        {icon}
      </span>
      <span className={clsx('@2xl:pt-0.5', state === 'current' && 'font-medium')}>
        <span className="sr-only">{spoken}</span>
        {label}
      </span>
    </li>
  )
}

/** Adds the remaining time to a text: after a phrase with a dot between, after a sentence as another sentence. */
function addLeft(text: string, remainingText: string): string {
  if (text === '' || remainingText === '') return text + remainingText
  return text.endsWith('.')
    ? `${text} ${remainingText.charAt(0).toUpperCase()}${remainingText.slice(1)}.`
    : `${text} · ${remainingText}`
}

const MORE_TO_COME = m.more_steps_appear_here_as()
const STILL_USUAL = m.longer_videos_take_longer_you()

/** While steps can already be followed and the rest is still being made. */
export function ProgressStrip({ progress, message, pace }: Omit<ProcessingViewProps, 'onCheckAgain'>) {
  const isUsual = pace.slowness === 'usual' || pace.slowness === 'uploading' || pace.waits !== ''
  const text = isUsual ? message || MORE_TO_COME : STILL_USUAL
  return (
    <Card className="px-4 py-3">
      <div className="mb-2 flex items-baseline justify-between gap-4 text-sm">
        <p className="font-semibold">{findStageText(progress)}</p>
        <span className="font-semibold text-brand tabular-nums">{progress}%</span>
      </div>
      <Progress value={progress} label={m.processing_progress()} />
      <p className="mt-2 text-sm text-ink-soft">{addLeft(text, pace.waits || pace.left)}</p>
    </Card>
  )
}

type PaceNoteProps = Pick<ProcessingViewProps, 'pace' | 'onCheckAgain'>

/** Says what to expect of the wait, and when it is longer than usual. The upload says when the tab may be closed. */
function PaceNote({ pace, onCheckAgain }: PaceNoteProps) {
  const { slowness } = pace
  return (
    <div role="status">
      {slowness === 'usual' && <p className="text-center text-sm text-ink-soft">{m.you_can_leave_this_page()}</p>}
      {slowness === 'slow' && (
        <SlowCard title={m.this_is_taking_a_little()}>{m.longer_videos_and_quiet_recordings()}</SlowCard>
      )}
      {slowness === 'overdue' && <OverdueNote {...{ pace, onCheckAgain }} />}
    </div>
  )
}

/** What specification §4 says after five minutes, with what is left of this run as far as that is known. */
export function OverdueNote({ pace, onCheckAgain }: PaceNoteProps) {
  return (
    <SlowCard title={m.processing_is_taking_longer_than()}>
      {m.it_usually_takes_30_60()}
      {pace.left !== '' && pace.waits === '' && <> {m.at_the_speed_so_far({ left: pace.left })}</>}
      <span className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" size="small" onClick={onCheckAgain}>
          {m.check_again()}
        </Button>
        <ButtonLink variant="secondary" size="small" to="/dashboard">
          {m.go_to_dashboard()}
        </ButtonLink>
      </span>
    </SlowCard>
  )
}

function SlowCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3.5 rounded-card bg-warn-soft p-4 text-sm text-warn-ink">
      <Clock aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <p className="font-semibold">{title}</p>
        <div className="mt-1">{children}</div>
      </div>
    </div>
  )
}

const TICK_MS = 1_000

const UNKNOWN_PACE: Pace = { slowness: 'usual', left: '', waits: '' }

function isSamePace(one: Pace, other: Pace): boolean {
  return one.left === other.left && one.slowness === other.slowness && one.waits === other.waits
}

interface PaceOptions {
  isProcessing: boolean
  /** As the server's latest answer has it; until there is one, the time counts from when the page began to wait. */
  work: ModuleWork | null
  progress: number
}

/** Judges how long a run takes, from its start on the server, and estimates from its own speed what is left. */
export function usePace({ isProcessing, work, progress }: PaceOptions): Pace {
  const [pace, setPace] = useState(UNKNOWN_PACE)
  const firstSeen = useRef<Mark | null>(null)
  const readProgress = useEffectEvent(() => progress)
  useEffect(() => {
    if (!isProcessing) return
    const beganAtMs = performance.now() - (work?.seconds ?? 0) * 1_000
    const tick = () => {
      const now = { progress: readProgress(), seconds: (performance.now() - beganAtMs) / 1_000 }
      if (firstSeen.current === null || now.seconds < firstSeen.current.seconds) firstSeen.current = now
      const fromProgress = work?.fromProgress ?? null
      const since = fromProgress === null ? firstSeen.current : { progress: fromProgress, seconds: 0 }
      const waiting = work?.waiting ?? null
      const waits = waiting === null ? '' : describeWait(waiting)
      // A run that waits has no speed to estimate from.
      const remainingText = work === null || waiting !== null ? '' : estimateLeft(since, now)
      const next = { slowness: judgePace(now.seconds * 1_000), left: remainingText, waits }
      setPace((before) => (isSamePace(before, next) ? before : next))
    }
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [isProcessing, work])
  return isProcessing ? pace : UNKNOWN_PACE
}
