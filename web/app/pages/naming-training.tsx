import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowRight, Images } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Proposal, Step, StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { listTitled, NameScenes, useSceneDrafts } from '#web/features/proposal/name-scenes.tsx'
import { isScene, listUnnamed, proposalsQuery, useDecideProposals } from '#web/features/proposal/proposal-panel.tsx'
import { ScreenSettings } from '#web/features/screen/screen-settings.tsx'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import { NAMING_HASH } from '#web/features/training/choose-view.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { NextAction, NextActions } from '#web/features/training/next-actions.tsx'
import { VideoPlace } from '#web/features/training/training-layout.tsx'
import { AddCaptions } from '#web/features/transcript/add-captions.tsx'
import { useApi } from '#web/lib/api.ts'
import { screenProgress } from '#web/lib/screen-progress.ts'
import { useStore } from '#web/lib/use-store.ts'
import { Button } from '#web/ui/button.tsx'
import { PanelSkeleton, PartMissing } from '../shared/late-part.tsx'
import { trainingPath } from '../shared/paths.ts'
import { NO_STEPS } from '../shared/player-steps.ts'
import { useModuleSaves, useReloadModule } from '../shared/use-training-updates.ts'
import { StepFormPlace, useShowCaptionsRun, WriteSteps } from './failed-training.tsx'
import { TrainingVideo, useTrainingVideo } from './training-video.tsx'

interface NamingTrainingProps {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
}

const NO_SCENES: readonly Proposal[] = []

/** Where the scenes of a video without speech become steps: the first that gets a name makes it a training. */
export function NamingTraining({ module, query }: NamingTrainingProps) {
  const { player, videoPlace, playhead, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: NO_STEPS,
  })
  const naming = useNaming({ module, query })
  const isReady = module.status === 'READY'
  const { offered, saves } = naming
  return (
    <div className="grid grid-cols-1 gap-6">
      <div>
        <h2 className="text-xl font-semibold">{m.name_the_steps()}</h2>
        <p role="status" className="mt-1 text-ink-soft">
          {isReady ? m.the_training_is_open_name() : m.there_is_no_speech_in()}
        </p>
      </div>
      {!isReady && <WaysOn module={module} />}
      <VideoPlace ref={videoPlace}>
        <TrainingVideo ref={player} module={module} onTimeChange={onTimeChange} />
      </VideoPlace>
      {offered.isLoadingError && (
        <PartMissing what={m.the_scenes()} isBusy={offered.isFetching} onRetry={() => offered.refetch()} />
      )}
      {offered.isPending && <PanelSkeleton className="h-40" />}
      {offered.data && (
        <div id={SCENES_ID}>
          <NameScenes
            scenes={naming.scenes}
            steps={saves.steps}
            posterUrl={module.posterUrl}
            drafts={naming.drafts}
            onPlay={({ start, end }) => playhead.preview(start, end)}
            onReject={naming.reject}
            onTakeAll={naming.takeAll}
          />
        </div>
      )}
      {!isReady && (
        <ScreenSettings module={module} onSeek={(seconds) => playhead.preview(seconds, seconds + PREVIEW_S)} />
      )}
      {isReady && (
        <Button className="justify-self-end" onClick={() => void naming.openTraining()}>
          {m.open_the_training()}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Button>
      )}
      <StepFormPlace>
        <AddStepForm playhead={playhead} durationS={module.totalDuration} onAdd={naming.add} />
      </StepFormPlace>
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
      <UnsavedGuard isUnsaved={naming.isUnsaved || saves.isSaving} onLeave={naming.saveRest} hash={NAMING_HASH} />
    </div>
  )
}

/** How much of the video is played for a text of the screen. */
const PREVIEW_S = 10

const SCENES_ID = 'scenes-to-name'

/** What can be done with a video without speech, of which no step is written yet. */
function WaysOn({ module: { id, totalDuration: durationS } }: Pick<NamingTrainingProps, 'module'>) {
  const showCaptionsRun = useShowCaptionsRun(id)
  return (
    <NextActions>
      <NextAction way="scenes" {...{ durationS }}>
        <Button onClick={() => document.getElementById(SCENES_ID)?.querySelector('input')?.focus()}>
          <Images aria-hidden="true" className="size-4" />
          {m.name_the_scenes()}
        </Button>
      </NextAction>
      <NextAction way="captions" {...{ durationS }}>
        <AddCaptions moduleId={id} onAdded={showCaptionsRun} look={{ variant: 'secondary' }} />
      </NextAction>
      <NextAction way="steps" {...{ durationS }}>
        <WriteSteps />
      </NextAction>
    </NextActions>
  )
}

/** Loads the scenes again once their screen was read, which gives them titles. */
function useScreenTitles(moduleId: string, refetch: () => unknown): void {
  const isReading = useStore(screenProgress)[moduleId] !== undefined
  const wasReading = useRef(isReading)
  useEffect(() => {
    if (wasReading.current && !isReading) refetch()
    wasReading.current = isReading
  }, [isReading, refetch])
}

/** What is offered, what is being written, and how it becomes steps. */
function useNaming({ module, query }: NamingTrainingProps) {
  const navigate = useNavigate()
  const offered = useQuery(proposalsQuery(useApi(), module.id))
  const saves = useModuleSaves(module.id, query)
  const reloadModule = useReloadModule(module.id)
  // What is left out changes no step.
  const decide = useDecideProposals(module.id, {
    steps: saves.steps,
    onSteps: () => undefined,
    rejected: m.scenes_were_left_out,
  })
  const scenes = offered.data?.filter(isScene) ?? NO_SCENES
  const drafts = useSceneDrafts((scene, title) => add({ ...scene, title }))
  // What is being saved shows as named already; what was named elsewhere keeps that name.
  const open = [...listUnnamed(scenes, saves.steps), ...scenes.filter(({ id }) => drafts.isSaving(id))]
  const written = open.filter(({ id }) => drafts.read(id).trim() !== '')

  useScreenTitles(module.id, offered.refetch)

  const add = (step: Step) => insert([step])

  async function insert(steps: readonly Step[]): Promise<boolean> {
    if (steps.length === 0) return false
    const isAdded = await saves.save({ kind: 'insert', steps })
    if (isAdded && module.status === 'FAILED') await reloadModule()
    return isAdded
  }
  async function saveRest(): Promise<boolean> {
    for (const scene of written) if (!(await drafts.save(scene))) return false
    return true
  }
  return {
    offered,
    scenes,
    saves,
    drafts,
    add,
    saveRest,
    isUnsaved: written.length > 0,
    takeAll: async () => {
      await insert(listTitled(listUnnamed(scenes, saves.steps), drafts))
    },
    reject: ({ id }: Proposal) => decide.mutate({ ids: [id], decision: 'reject' }),
    async openTraining() {
      if (await saveRest()) void navigate(trainingPath(module.id))
    },
  }
}
