import { ExternalLink, MessageCircleQuestion } from 'lucide-react'
import { type MouseEvent, useMemo, useRef, useState } from 'react'
import type { SharedModule } from '#contract/share.ts'
import { type SharePageData, sharedVideoPath, sharePath } from '#contract/share-page.ts'
import { useLearning } from '#web/features/learning/use-learning.ts'
import { AwaitedVideo } from '#web/features/player/awaited-video.tsx'
import { readBeginning } from '#web/features/player/kept-position.ts'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { PosterVideo } from '#web/features/player/poster-video.tsx'
import { HowToUse } from '#web/features/share/how-to-use.tsx'
import { CurrentStepBanner } from '#web/features/step/current-step-banner.tsx'
import { type ListedStep, listSharedStep } from '#web/features/step/listed-step.ts'
import { useCurrentStep } from '#web/features/step/use-current-step.ts'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { useAddressHash } from '#web/lib/use-address-hash.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeButton } from '#web/ui/theme-select.tsx'
import { trainingPath } from '../paths.ts'
import { listPlayerSteps } from '../player-steps.ts'
import { SharedSteps } from './shared-steps.tsx'

interface SharedTrainingProps {
  module: SharedModule
  look: SharePageData['look']
}

/** What a learner follows: the video stays in sight while the steps scroll. */
export function SharedTraining({ module, look }: SharedTrainingProps) {
  const [beginning] = useState(() => readBeginning(module.id, new URLSearchParams(window.location.search)))
  const steps = useMemo(() => module.steps.map(listSharedStep), [module.steps])
  const chapters = useMemo(() => listPlayerSteps(steps, module.posterUrl), [steps, module.posterUrl])
  const player = useRef<PlayerHandle>(null)
  const { current, noteTime, getTimeS } = useCurrentStep(steps, beginning.startAtS)
  const { learned, onPlayback } = useLearning(async () => {
    const { openSharedLearning } = await import('./shared-learning-log.ts')
    return openSharedLearning(module.id)
  })
  useStepHash(steps.length > 0, useAddressHash())

  function jumpTo(step: ListedStep) {
    player.current?.seekTo(step.start)
    player.current?.play()
  }

  return (
    <div className="mx-auto w-full max-w-6xl lg:px-6 lg:pb-10">
      {look === 'embed' ? <EmbedHeader module={module} /> : <SharedHeader title={module.title} />}
      <div className="lg:grid lg:grid-cols-[minmax(0,1.7fr)_minmax(20rem,1fr)] lg:items-start lg:gap-6">
        <div className="sticky top-0 z-10 lg:top-6 [@media(max-height:30rem)]:static">
          <div className="border-line bg-surface shadow-lift lg:overflow-hidden lg:rounded-card lg:border lg:shadow-card">
            {module.hasVideo ? (
              <PosterVideo
                ref={player}
                src={sharedVideoPath(module.id)}
                title={module.title}
                {...beginning}
                keepAs={module.id}
                steps={chapters}
                link={sharePath(module.id)}
                captionsUrl={module.captionsUrl ?? undefined}
                poster={module.posterUrl ?? undefined}
                onTimeChange={noteTime}
                onPlayback={onPlayback}
              />
            ) : (
              <AwaitedVideo percent={module.uploadPercent} />
            )}
            <CurrentStepBanner
              step={current}
              number={steps.findIndex((step) => step.id === current?.id) + 1}
              count={steps.length}
              // A frame on another site cannot sign in.
              action={look === 'page' && <AskTutorLink moduleId={module.id} getTimeS={getTimeS} />}
            />
          </div>
        </div>
        <div className="grid grid-cols-1 gap-5 p-4 [--step-scroll-margin:calc(56.25vw+5rem)] lg:p-0 lg:[--step-scroll-margin:1.5rem]">
          <SharedSteps {...{ module, learned, steps }} currentId={current?.id ?? null} onJump={jumpTo} />
          {look === 'page' && <HowToUse />}
        </div>
      </div>
    </div>
  )
}

interface AskTutorLinkProps {
  moduleId: string
  /** Where the video is now. */
  getTimeS: () => number
}

/** The way to the tutor: the training page, at the same place. Signed out, it leads through sign-in and back. */
function AskTutorLink({ moduleId, getTimeS }: AskTutorLinkProps) {
  const href = () => `${trainingPath(moduleId)}?seek=${Math.floor(getTimeS())}`
  function update({ currentTarget }: MouseEvent<HTMLAnchorElement>) {
    currentTarget.href = href()
  }
  return (
    // The page is not drawn for each tick of the clock, and a link can be opened in other ways than by a click.
    <a
      href={href()}
      onClick={update}
      onPointerDown={update}
      className={buttonClass({ variant: 'secondary', size: 'small', className: 'shrink-0' })}
    >
      <MessageCircleQuestion aria-hidden="true" className="size-4" />
      Ask the tutor
    </a>
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
      <h1 className="mt-1.5 text-xl font-semibold sm:text-2xl lg:mt-4 lg:text-3xl">{title}</h1>
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
        className="inline-flex min-h-6 items-center gap-2 rounded-chip hover:underline"
      >
        {module.title}
        <ExternalLink aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span className="sr-only">, opens on Adapt in a new tab</span>
      </a>
    </h1>
  )
}
