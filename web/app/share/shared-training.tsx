import { ExternalLink } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import type { SharedModule } from '#contract/share.ts'
import { type SharePageData, sharedVideoPath, sharePath } from '#contract/share-page.ts'
import * as m from '#messages'
import { LearnedMark, type Learning, useLearning } from '#web/features/learning/use-learning.tsx'
import type { PlayerHandle, PlayerProps } from '#web/features/player/player-handle.ts'
import { PosterVideo } from '#web/features/player/poster-video.tsx'
import { readBeginning } from '#web/features/player/resume/kept-position.ts'
import { CurrentStepBanner, useCurrentStep } from '#web/features/step/current-step.tsx'
import { MoreToCome, useStepSummary } from '#web/features/step/growing-steps.tsx'
import { type ListedStep, listSharedStep, StepList } from '#web/features/step/step-list.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { useAddressHash } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeButton } from '#web/ui/theme-select.tsx'
import { useFollowAlong } from '../follow/use-follow-along.tsx'
import type { Reporting } from '../report/reporting.tsx'
import { listPlayerSteps } from '../shared/player-steps.ts'
import { useLate } from '../shared/use-late.ts'
import { useReporting } from '../shared/use-reporting.ts'
import type { AskedMarks } from './asked-marks.tsx'
import type { AtWorkProps } from './training-at-work.tsx'
import { useOriginal } from './use-original.ts'
import { useTutor } from './use-tutor.tsx'

interface SharedStepsProps {
  module: Pick<
    SharedModule,
    'id' | 'status' | 'progress' | 'uploadPercent' | 'totalDuration' | 'posterUrl' | 'original' | 'cuts'
  >
  learning: Learning
  steps: readonly ListedStep[]
  currentId: string | null
  onJump: (step: ListedStep) => void
  action: ReactNode
  reporting: Reporting | null
  asked: AskedMarks | null
}

function SharedSteps({ module, learning, steps, currentId, onJump, action, reporting, asked }: SharedStepsProps) {
  const isGrowing = module.status === 'PROCESSING'
  const summary = useStepSummary(isGrowing ? steps.length : null)
  const originals = useOriginal(module.id)
  return (
    <section aria-labelledby="steps-heading">
      <p role="status" className="sr-only">
        {summary}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id="steps-heading" className="text-lg font-semibold">
          {m.steps()}{' '}
          {steps.length > 0 && (
            <span className="text-sm font-normal text-ink-faint tabular-nums">
              {isGrowing ? m.count_so_far({ count: steps.length }) : steps.length}
            </span>
          )}
        </h2>
        <LearnedMark learned={learning.learned} percent={learning.percentOf(module.totalDuration, module.cuts)} />
        {action}
      </div>
      {/* Its place stays when it goes, so that the steps do not move. */}
      <div className="flex h-5 items-center">
        {isGrowing && steps.length > 0 && <AtWork part="line" module={module} />}
      </div>
      {module.status === 'FAILED' && <p className="mb-3 text-sm text-ink-soft">{m.this_training_is_not_complete()}</p>}
      {isGrowing && steps.length === 0 ? (
        <AtWork part="steps" module={module} />
      ) : (
        <StepList
          steps={steps}
          posterUrl={module.posterUrl}
          currentId={currentId}
          onJump={onJump}
          isFinished={(step) => learning.isFinished(step, module.cuts)}
          reporting={asked ? (step, number) => asked.show(step.id, reporting?.show(step, number)) : reporting?.show}
          others={originals === null ? undefined : { language: module.original, steps: originals }}
        />
      )}
      {isGrowing && steps.length > 0 && <MoreToCome />}
    </section>
  )
}

const LazyAtWork = lazyPart(() => import('./training-at-work.tsx').then((part) => part.AtWork))

function AtWork(props: AtWorkProps) {
  return (
    // One of its own, so that a video that plays stays when the steps are made again.
    <Suspense fallback={null}>
      <LazyAtWork {...props} />
    </Suspense>
  )
}

interface SharedTrainingProps {
  module: SharedModule
  look: SharePageData['look']
  /** The video could not be loaded, maybe because the module is not shared any more. */
  onVideoError: () => void
}

/** What a learner follows: the video stays in sight while the steps scroll. */
export function SharedTraining({ module, look, onVideoError }: SharedTrainingProps) {
  const [beginning] = useState(() => readBeginning(module.id, new URLSearchParams(window.location.search)))
  const steps = useMemo(() => module.steps.map(listSharedStep), [module.steps])
  const player = useRef<PlayerHandle>(null)
  const { current, noteTime, getTimeS } = useCurrentStep(steps, beginning.startAtS)
  const learning = useLearning(() =>
    import('./shared-learning-log.ts').then((part) => part.openSharedLearning(module.id, module.stepsVersion)),
  )
  useStepHash(steps.length > 0, useAddressHash())

  function playFrom(seconds: number) {
    player.current?.seekTo(seconds)
    player.current?.play()
  }
  const jumpTo = (step: ListedStep) => playFrom(step.start)
  const tutor = useTutor({ module, look, steps, currentId: current?.id ?? null, getTimeS, onPlay: playFrom })

  const reporting = useReporting(
    module.takesReports && (() => import('./shared-reports.ts').then((part) => part.openSharedReports(module.id))),
  )
  const asked = useLate(() => import('./shared-learning-log.ts').then((part) => part.openAsked(module.id)))
  const follow = useFollowAlong({ module, steps, language: module.language, player, reporting, asked })
  function noteTimes(seconds: number) {
    noteTime(seconds)
    follow.noteTime(seconds)
  }

  return (
    <div className="mx-auto w-full max-w-6xl lg:px-6 lg:pb-10">
      {look === 'embed' ? <EmbedHeader module={module} /> : <SharedHeader title={module.title} />}
      <div className="lg:grid lg:grid-cols-[minmax(0,1.7fr)_minmax(20rem,1fr)] lg:items-start lg:gap-6">
        <div className="sticky top-0 z-10 lg:top-6 [@media(max-height:30rem)]:static">
          <div className="border-line bg-surface shadow-lift lg:overflow-hidden lg:rounded-card lg:border lg:shadow-card">
            {follow.place(
              <SharedVideo
                {...{ module, beginning, steps, asked, onTimeChange: noteTimes }}
                onPlayback={learning.onPlayback}
                ref={player}
                onError={onVideoError}
              />,
            )}
            <CurrentStepBanner
              step={current}
              number={steps.findIndex((step) => step.id === current?.id) + 1}
              count={steps.length}
              badge={current && asked?.show(current.id).mark}
              action={tutor.action}
            />
          </div>
        </div>
        <div className="grid grid-cols-1 gap-5 p-4 [--step-scroll-margin:calc(56.25vw+5rem)] lg:p-0 lg:[--step-scroll-margin:1.5rem]">
          {tutor.panel}
          <SharedSteps
            {...{ module, learning, steps, reporting, asked }}
            currentId={current?.id ?? null}
            onJump={jumpTo}
            action={follow.button}
          />
        </div>
      </div>
    </div>
  )
}

interface SharedVideoProps extends Pick<PlayerProps, 'ref' | 'onTimeChange' | 'onPlayback' | 'onError'> {
  module: SharedModule
  beginning: ReturnType<typeof readBeginning>
  steps: readonly ListedStep[]
  asked: AskedMarks | null
}

function SharedVideo({ module, beginning, steps, asked, ...player }: SharedVideoProps) {
  const { id, title, posterUrl, captionsUrl, videoCodec, smallCopy, audioTracks, cuts } = module
  const playerSteps = useMemo(() => listPlayerSteps(steps, posterUrl, asked?.nameStep), [steps, posterUrl, asked])
  if (!module.hasVideo) return <AtWork part="video" module={module} />
  return (
    <PosterVideo
      {...player}
      {...beginning}
      {...{ title, videoCodec, smallCopy, audioTracks, cuts }}
      src={sharedVideoPath(id)}
      keepAs={id}
      steps={playerSteps}
      link={sharePath(id)}
      captionsUrl={captionsUrl ?? undefined}
      poster={posterUrl ?? undefined}
    />
  )
}

function SharedHeader({ title }: { title: string }) {
  return (
    <header className="px-4 pt-3 pb-4 lg:px-0 lg:pt-5 lg:pb-5">
      <div className="flex items-center justify-between gap-4">
        <a href="/" className="inline-flex rounded-control">
          <Logo />
        </a>
        <ThemeButton />
      </div>
      <h1 dir="auto" className="mt-1.5 text-xl font-semibold sm:text-2xl lg:mt-4 lg:text-3xl">
        {title}
      </h1>
    </header>
  )
}

/** In a frame there is little room; the whole page is a click away. */
function EmbedHeader({ module }: { module: SharedModule }) {
  return (
    <h1 className="px-4 py-2.5 font-semibold lg:px-0">
      <a
        href={sharePath(module.id)}
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-6 max-w-full items-center gap-2 rounded-chip hover:underline"
      >
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {module.title}
        </span>
        <ExternalLink aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span className="sr-only">{m.opens_on_adapt_in_a()}</span>
      </a>
    </h1>
  )
}
