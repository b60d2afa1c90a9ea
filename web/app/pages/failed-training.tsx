import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { Images, PenLine, RotateCcw } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { isRecoverableByCaptions, isRecoverableByNewRun, isSilent, VideoUrlAnswer } from '#contract/module.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { FailedNotice, FailedView } from '#web/features/training/failed-view.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { NextAction, NextActions } from '#web/features/training/next-actions.tsx'
import { VideoPlace } from '#web/features/training/training-layout.tsx'
import { AddCaptions, type CaptionsLook } from '#web/features/transcript/add-captions.tsx'
import { noteMissing, sendPoster, sendScenes } from '#web/features/upload/send-images.ts'
import { useApi } from '#web/lib/api.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { showBegunRun } from '#web/lib/module-cache.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { NO_STEPS } from '../shared/player-steps.ts'
import { useModuleSaves, useReloadModule } from '../shared/use-training-updates.ts'
import { TrainingVideo, useTrainingVideo } from './training-video.tsx'

interface FailureRemediesProps {
  module: LoadedModule
  onRecovered: () => void
}

/** Shows that a run has begun that reads captions. */
export function useShowCaptionsRun(moduleId: string): () => void {
  const queryClient = useQueryClient()
  return () => void showBegunRun(queryClient, moduleId, m.reading_the_captions())
}

interface ModuleCaptionsProps {
  module: LoadedModule
  look?: CaptionsLook
  children?: ReactNode
}

/** Gives a READY module captions, from which a new version is made. */
export function ModuleCaptions({ module, look = {}, children }: ModuleCaptionsProps) {
  return (
    <AddCaptions
      moduleId={module.id}
      onAdded={useShowCaptionsRun(module.id)}
      look={{ hint: m.the_steps_are_written_again(), ...look }}
    >
      {children}
    </AddCaptions>
  )
}

/** Whether an owner may add captions to a module as it is; one whose new version failed has them offered with that. */
export function takesCaptions({ role, status, hasVideo, newVersion }: LoadedModule): boolean {
  return role === 'owner' && status === 'READY' && hasVideo && newVersion === null
}

/** Leads to the upload of another video. @see specification §2 */
function TryAgain({ variant }: { variant: 'primary' | 'secondary' }) {
  return (
    <ButtonLink to="/upload" variant={variant}>
      {m.try_again_button()}
    </ButtonLink>
  )
}

/** The ways out of a failure that an owner has, the cheapest first. */
function FailureRemedies({ module, look, onRecovered }: FailureRemediesProps & Pick<FailedTrainingProps, 'look'>) {
  const showRun = useShowCaptionsRun(module.id)
  const takesRun = module.hasVideo && isRecoverableByNewRun(module.failureCode)
  const isCaptionable = isRecoverableByCaptions(module.failureCode)
  const again = takesRun ? <ProcessAgain {...{ module, onRecovered }} /> : null
  const tryAgain = <TryAgain variant={takesRun || isCaptionable ? 'secondary' : 'primary'} />
  if (!isCaptionable) {
    return (
      <div className="-m-1.5 *:m-1.5 *:align-middle">
        {again}
        {tryAgain}
      </div>
    )
  }
  function onAdded() {
    showRun()
    onRecovered()
  }
  const startsByHand = look === 'whole' && canStartByHand(module)
  const durationS = module.totalDuration
  return (
    <NextActions>
      {again && <li>{again}</li>}
      <NextAction way="captions" {...{ durationS }}>
        <AddCaptions moduleId={module.id} onAdded={onAdded} look={{ variant: takesRun ? 'secondary' : 'primary' }} />
      </NextAction>
      {startsByHand && isSilent(module.failureCode) && (
        <NextAction way="scenes" {...{ durationS }}>
          <FindScenes module={module} />
        </NextAction>
      )}
      {startsByHand && (
        <NextAction way="steps" {...{ durationS }}>
          <WriteSteps />
        </NextAction>
      )}
      <li>{tryAgain}</li>
    </NextActions>
  )
}

const STEP_FORM_ID = 'write-steps'

/** Leads to the form for a step, which stands inside of {@link StepFormPlace}. */
export function WriteSteps() {
  return (
    <Button variant="secondary" onClick={() => document.getElementById(STEP_FORM_ID)?.querySelector('input')?.focus()}>
      <PenLine aria-hidden="true" className="size-4" />
      {m.write_the_steps()}
    </Button>
  )
}

export function StepFormPlace({ children }: { children: ReactNode }) {
  return <div id={STEP_FORM_ID}>{children}</div>
}

function ProcessAgain({ module, onRecovered }: FailureRemediesProps) {
  const again = useReprocessModule({ onBegun: onRecovered })
  // A run whose audio got lost has nothing left to resume from.
  const label = module.failureCode === 'source_missing' ? m.reprocess() : m.go_on_from_where_it()
  return (
    <Button isBusy={again.isPending} onClick={() => again.mutate({ moduleId: module.id, from: 'failed' })}>
      {!again.isPending && <RotateCcw aria-hidden="true" className="size-4" />}
      {label}
    </Button>
  )
}

/** Whether a failed module can still be made by hand: only its words are missing, and it is the caller's. */
export function canStartByHand({ role, failureCode, hasVideo }: LoadedModule): boolean {
  return role === 'owner' && hasVideo && isRecoverableByCaptions(failureCode)
}

interface FindScenesProps {
  module: LoadedModule
  look?: Pick<ComponentProps<typeof Button>, 'size'>
  /** Where the page does not change with the module. */
  onFound?: () => Promise<void>
}

/** Looks for the scenes of a video that no browser has looked through, or whose tab was closed on the way. */
export function FindScenes({ module, look = {}, onFound }: FindScenesProps) {
  const callApi = useApi()
  const reloadModule = useReloadModule(module.id)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const finding = useMutation({
    async mutationFn() {
      const path = `/api/video-url/module/${encodeURIComponent(module.id)}`
      stop.current?.abort()
      stop.current = new AbortController()
      const { signal } = stop.current
      const { url } = await callApi({ path, schema: VideoUrlAnswer, signal })
      const durationMs = module.totalDuration && module.totalDuration * 1000
      const video = await fetch(url, { signal })
      if (!video.ok) throw new Error(m.the_video_answered_status({ status: video.status }))
      const { id: moduleId, videoId } = module
      const request = { file: await video.blob(), moduleId, videoId, durationMs, callApi, signal }
      // The addresses of all images come from that of the poster.
      if (module.posterUrl === null) await sendPoster(request).catch(noteMissing)
      const count = await sendScenes(request)
      await onFound?.()
      return count
    },
    onSettled: reloadModule,
  })
  const outcome = finding.isError ? m.the_video_could_not_be() : finding.data === 0 && m.no_scene_change_was_found()
  return (
    <div className="inline-grid justify-items-center gap-2">
      <Button variant="secondary" {...look} isBusy={finding.isPending} onClick={() => finding.mutate()}>
        {!finding.isPending && <Images aria-hidden="true" className="size-4" />}
        {finding.isPending ? m.looking_for_scenes() : m.find_the_scenes()}
      </Button>
      <p role="status" className="text-center text-sm text-ink-soft empty:hidden">
        {outcome}
      </p>
    </div>
  )
}

/** The other way out of a failure: the first step that a person writes makes the module a training. */
export function ManualStart({ module, query }: { module: LoadedModule; query: UseQueryResult<StepsAnswer> }) {
  const { player, videoPlace, playhead, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: NO_STEPS,
  })
  const saves = useModuleSaves(module.id, query)
  const reloadModule = useReloadModule(module.id)
  async function add(step: Step): Promise<boolean> {
    const isAdded = await saves.save({ kind: 'insert', steps: [step] })
    if (isAdded) await reloadModule()
    return isAdded
  }
  return (
    <div className="mt-6 grid grid-cols-1 gap-6">
      <p className="text-center text-sm text-ink-soft">{m.or_write_the_steps_yourself()}</p>
      <VideoPlace ref={videoPlace}>
        <TrainingVideo ref={player} module={module} onTimeChange={onTimeChange} />
      </VideoPlace>
      <StepFormPlace>
        <AddStepForm playhead={playhead} durationS={module.totalDuration} onAdd={add} />
      </StepFormPlace>
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
    </div>
  )
}

interface FailedTrainingProps extends FailureRemediesProps {
  /** `whole` instead of the page, `notice` among steps that were found before. */
  look: 'whole' | 'notice'
  /** What the server said instead of steps, if it said so. */
  said?: string | null
}

export function FailedTraining({ look, said: serverReason = null, ...props }: FailedTrainingProps) {
  const View = look === 'whole' ? FailedView : FailedNotice
  const { module } = props
  const actions =
    module.role === 'owner' ? <FailureRemedies {...{ look }} {...props} /> : <TryAgain variant="secondary" />
  return <View {...{ module, said: serverReason, actions }} />
}
