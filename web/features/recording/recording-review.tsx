import { type ReactNode, useId, useState } from 'react'
import type { AlignedStep, Recording, TakeRecording } from '#contract/training/recording.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Badge, type BadgeTone, Card, SectionCard } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { placeSteps, type Surety, suretyOf } from './placed-steps.ts'

const LOOKS: Record<Surety, { tone: BadgeTone; label: string }> = {
  sure: { tone: 'brand', label: m.place_sure() },
  unsure: { tone: 'warn', label: m.place_unsure() },
  missing: { tone: 'danger', label: m.place_missing() },
}

interface RecordingReviewProps {
  recording: Recording
  /** Where the new video is watched. */
  recordingPath: string
  /** Where another one is uploaded. */
  uploadPath: string
  /** What waits for the server. */
  busy: 'take' | 'drop' | null
  onTake: (request: TakeRecording) => void
  onDrop: () => void
}

/** Where the steps are in the new recording, for the owner to look at before anything changes. */
export function RecordingReview({ recording, busy, onTake, onDrop, ...paths }: RecordingReviewProps) {
  const { steps, added } = recording
  const found = steps.filter(({ proposed }) => proposed !== null)
  // Of the steps as they were first: the page draws this anew for another recording, or after a change of the steps.
  const [keptIds, setKeptIds] = useState<ReadonlySet<string>>(() => new Set(found.map(({ id }) => id)))
  function keep(id: string, isKept: boolean) {
    const next = new Set(keptIds)
    if (isKept) next.add(id)
    else next.delete(id)
    setKeptIds(next)
  }
  const placed = placeSteps(recording, keptIds)
  return (
    <div className="grid grid-cols-1 gap-6">
      <SectionCard title={m.places_in_the_new_video()} className="px-4 py-4 sm:px-5">
        <p className="mt-1 text-sm text-ink-soft">{m.steps_found_of({ found: found.length, count: steps.length })}</p>
        <ol className="mt-3 divide-y divide-line">
          {steps.map((step) => (
            <StepPlace key={step.id} step={step} isKept={keptIds.has(step.id)} onKeep={(is) => keep(step.id, is)} />
          ))}
        </ol>
        <p className="mt-3 text-sm text-ink-soft">{m.steps_that_are_not_kept()}</p>
      </SectionCard>
      {added.length > 0 && (
        <SectionCard title={m.only_in_the_new_video()} className="px-4 py-4 sm:px-5">
          <ul className="mt-3 grid grid-cols-1 gap-3 text-sm">
            {added.map(({ start, text }) => (
              <li key={start} className="flex gap-3">
                <span className="shrink-0 text-ink-soft tabular-nums">{formatTime(start)}</span>
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </SectionCard>
      )}
      <Decision {...{ recording, busy, placed, onTake, onDrop }} {...paths} />
    </div>
  )
}

/** Which of the two videos stays. */
function Decision({
  recording: { moduleId: recordingId, version, steps, mayTake, mayDrop },
  recordingPath,
  uploadPath,
  busy,
  placed,
  onTake,
  onDrop,
}: RecordingReviewProps & { placed: TakeRecording['steps'] }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <p className="text-sm text-ink-soft">
        {mayTake ? m.the_old_video_goes_for_good() : m.no_right_to_replace_the_video()}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <ButtonLink to={recordingPath} variant="ghost">
          {m.open_the_new_recording()}
        </ButtonLink>
        {mayDrop && (
          <Button variant="secondary" isBusy={busy === 'drop'} disabled={busy === 'take'} onClick={onDrop}>
            {m.keep_the_old_video()}
          </Button>
        )}
        {!mayTake && <ButtonLink to={uploadPath}>{m.upload_a_new_recording()}</ButtonLink>}
        {mayTake && (
          <Button
            isBusy={busy === 'take'}
            disabled={busy === 'drop' || (placed.length === 0 && steps.length > 0)}
            onClick={() => setIsAsking(true)}
          >
            {m.take_the_new_video()}
          </Button>
        )}
      </div>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.take_the_new_video()}
        description={m.the_old_video_goes_for_good()}
        confirmLabel={m.take_the_new_video()}
        onConfirm={() => onTake({ recordingId, version, steps: placed })}
      />
    </>
  )
}

interface StepPlaceProps {
  step: AlignedStep
  isKept: boolean
  onKeep: (isKept: boolean) => void
}

function StepPlace({ step, isKept, onKeep }: StepPlaceProps) {
  const { title, proposed } = step
  const { tone, label } = LOOKS[suretyOf(step)]
  const id = useId()
  return (
    <li>
      <div className="flex min-h-11 items-start gap-3 py-2.5">
        <input
          id={id}
          type="checkbox"
          checked={isKept}
          onChange={({ target }) => onKeep(target.checked)}
          className="mt-1 size-4 shrink-0 accent-brand"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
          <label htmlFor={id} dir="auto" className="min-w-0 basis-40 grow text-sm font-medium wrap-anywhere">
            {title}
          </label>
          <span className="flex items-center gap-2 text-sm text-ink-soft tabular-nums">
            {proposed !== null && `${formatTime(proposed.start)} – ${formatTime(proposed.end)}`}
            <Badge tone={tone}>{label}</Badge>
          </span>
        </span>
      </div>
    </li>
  )
}

interface RecordingStateProps {
  text: string
  children: ReactNode
}

/** What a recording waits for that cannot be looked at yet. */
export function RecordingState({ text, children }: RecordingStateProps) {
  return (
    <Card className="px-4 py-4 sm:px-5">
      <p className="text-sm text-ink-soft">{text}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">{children}</div>
    </Card>
  )
}
