import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Plus, SquarePen } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { seesDraft } from '#contract/module.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { isScene, listUnnamed, ProposalPanel, proposalsQuery } from '#web/features/proposal/proposal-panel.tsx'
import { ScreenUpdate } from '#web/features/screen/screen-update.tsx'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { LiveStepEditor, useLiveEditing } from '#web/features/step-editor/live-step-editor.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { StepReports } from '#web/features/step-report/trainer-reports.tsx'
import { NAMING_HASH } from '#web/features/training/choose-view.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { showAtTop } from '#web/lib/scroll-box.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dictation } from '../shared/dictation.tsx'
import { LatePart, PanelSkeleton, PartMissing } from '../shared/late-part.tsx'
import { editStepsPath } from '../shared/paths.ts'
import { NO_STEPS } from '../shared/player-steps.ts'
import { useModuleSaves, useReloadModule, useReplaceSteps } from '../shared/use-training-updates.ts'
import { StepRows } from './step-rows.tsx'

interface OwnedStepsOptions {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
  playhead: Playhead
}

/** The steps of a training as their owner changes them, wherever on its page: all changes go one way to the server. */
export function useOwnedSteps({ module, query, playhead }: OwnedStepsOptions) {
  const saves = useModuleSaves(module.id, query)
  const editing = useLiveEditing({ saves, playhead, durationS: module.totalDuration })
  const reloadModule = useReloadModule(module.id)

  async function add(step: Step): Promise<boolean> {
    const isAdded = await editing.add(step)
    // A module that could not be processed becomes READY with its first step.
    if (isAdded && module.status === 'FAILED') await reloadModule()
    return isAdded
  }

  /** Changes a step as it is by now. @returns whether it stays so */
  async function editStep(id: string, edit: (step: Step) => Step): Promise<boolean> {
    const step = saves.steps.find((one) => one.id === id)
    if (step === undefined) return false
    return saves.save({ kind: 'replace', ids: [id], by: [edit(step)] })
  }

  /** Saves steps in place of those of the same ids. @returns whether they stay so */
  function replaceAll(steps: readonly Step[]): Promise<boolean> {
    const changes = steps.map((step) => ({ kind: 'replace', ids: [step.id], by: [step] }) as const)
    return saves.save({ kind: 'batch', changes })
  }
  return { saves, editing, add, editStep, replaceAll }
}

export type OwnedSteps = ReturnType<typeof useOwnedSteps>

interface EditableStepsProps extends OwnedStepsOptions {
  owned: OwnedSteps
  currentId: string | null
  onJump: (step: Step) => void
  followAlong: ReactNode
}

/** The steps as their owner has them: each opens where it stands, and what is changed is saved by itself. */
export function EditableSteps({ module, query, playhead, owned, currentId, onJump, followAlong }: EditableStepsProps) {
  const { saves, editing, add } = owned
  const form = useRef<HTMLDivElement>(null)
  const durationS = module.totalDuration
  const { steps } = editing
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(query.data !== undefined && steps.length > 0, useLocation().hash, {
    show: showAtTop,
    onArrive: (index) => {
      const step = steps[index]
      if (step !== undefined) editing.open(step)
    },
  })
  return (
    <>
      {module.role === 'owner' && <ScreenUpdate moduleId={module.id} steps={saves.steps} onUndo={owned.replaceAll} />}
      <StepPanel
        {...{ query, isGrowing }}
        count={steps.length}
        // A step that is being edited stays in sight.
        current={editing.openId === null ? findPlace(steps, currentId) : null}
        action={
          <StepsActions moduleId={module.id} toForm={() => form.current?.querySelector('input')?.focus()}>
            {followAlong}
          </StepsActions>
        }
        after={
          <div ref={form}>
            <AddStepForm playhead={playhead} durationS={durationS} onAdd={add} />
          </div>
        }
      >
        {(follow) => (
          <StepRows
            editing={editing}
            posterUrl={module.posterUrl}
            currentId={currentId}
            cuts={query.data?.meta.cuts}
            onJump={(step) => {
              follow()
              onJump(step)
            }}
            renderReports={({ id }) => module.role === 'owner' && <StepReports moduleId={module.id} stepId={id} />}
            renderEditor={(entry, number) => (
              <LiveStepEditor
                key={entry.base.id}
                moduleId={module.id}
                posterUrl={module.posterUrl}
                {...{ entry, number, durationS, playhead, editing }}
              />
            )}
          />
        )}
      </StepPanel>
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
    </>
  )
}

function StepsActions({ moduleId, toForm, children }: { moduleId: string; toForm: () => void; children: ReactNode }) {
  return (
    <div className="-me-2 flex flex-wrap justify-end">
      {children}
      <Button
        variant="ghost"
        size="small"
        aria-label={m.add_a_missing_step()}
        title={m.add_a_missing_step()}
        className="px-2!"
        onClick={toForm}
      >
        <Plus aria-hidden="true" className="size-4" />
        <span className="narrow-column-label">{m.add()}</span>
      </Button>
      <ButtonLink
        to={editStepsPath(moduleId)}
        variant="ghost"
        size="small"
        aria-label={m.edit_all_steps()}
        title={m.edit_all_steps()}
        className="px-2!"
      >
        <SquarePen aria-hidden="true" className="size-4" />
        <span className="narrow-column-label">{m.edit_all()}</span>
      </ButtonLink>
    </div>
  )
}

/** @returns the place of a step in its list, from 1; null where it is not in it */
export function findPlace(steps: readonly { id: string }[], stepId: string | null): number | null {
  const index = steps.findIndex(({ id }) => id === stepId)
  return index === -1 ? null : index + 1
}

export function TrainingProposals({ module, steps }: { module: LoadedModule; steps: readonly Step[] | undefined }) {
  const callApi = useApi()
  const onSteps = useReplaceSteps(module.id)
  const isAsked = seesDraft(module.role) && module.status === 'READY'
  const { data, isLoadingError, isFetching, refetch } = useQuery({
    ...proposalsQuery(callApi, module.id),
    enabled: isAsked,
  })
  if (!isAsked) return null
  if (isLoadingError) {
    return <PartMissing what={m.proposed_changes_noun()} isBusy={isFetching} onRetry={() => refetch()} />
  }
  if (data === undefined) return null
  const sceneCount = listUnnamed(data, steps ?? NO_STEPS).length
  // Naming scenes makes the first steps of a training, which is its owner's.
  if (sceneCount > 0) return module.role === 'owner' ? <ScenesLeft count={sceneCount} /> : null
  // Until they are loaded again, scenes that have got their names are still among them.
  if (data.some(isScene)) return null
  return <ProposalPanel moduleId={module.id} proposals={data} steps={steps ?? NO_STEPS} onSteps={onSteps} />
}

/** A video without speech has scenes or what a later run offers, never both. */
function ScenesLeft({ count }: { count: number }) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="text-sm">{m.scenes_without_names({ count })}</p>
      <ButtonLink to={{ hash: NAMING_HASH }} variant="secondary" size="small">
        {m.name_the_steps()}
      </ButtonLink>
    </Card>
  )
}

const QuestionsPanel = lazyPart(
  async () => (await import('#web/features/questions/questions-panel.tsx')).QuestionsPanel,
)

interface TrainingQuestionsProps {
  module: LoadedModule
  playhead: Playhead
  owned: OwnedSteps
}

export function TrainingQuestions({ module, playhead, owned }: TrainingQuestionsProps) {
  const { saves, add, editStep } = owned
  return (
    <LatePart what={m.the_questions()} skeleton={<PanelSkeleton className="h-17" />}>
      <QuestionsPanel
        moduleId={module.id}
        steps={saves.steps}
        editStep={editStep}
        onPlay={(seconds) => playhead.preview(seconds, Number.POSITIVE_INFINITY)}
        readTimeS={playhead.readTimeS}
        renderDictation={(onPhrase, onSpeech) => (
          // While the video plays, the microphone picks up mostly the video.
          <Dictation
            moduleId={module.id}
            onStart={() => playhead.readVideo()?.pause()}
            onPhrase={onPhrase}
            onSpeech={onSpeech}
          />
        )}
        renderStepForm={(proposal, on) => (
          <AddStepForm
            {...{ playhead, proposal }}
            durationS={module.totalDuration}
            onCancel={on.cancel}
            onAdd={async (step) => {
              const isAdded = await add(step)
              if (isAdded) on.added()
              return isAdded
            }}
          />
        )}
      />
    </LatePart>
  )
}

const MetricsPanel = lazyPart(
  async () => (await import('#web/features/learning-metrics/metrics-panel.tsx')).MetricsPanel,
)

export function TrainingLearners({ module }: { module: LoadedModule }) {
  return (
    <LatePart what={m.learners_noun()} skeleton={<PanelSkeleton className="h-29" />}>
      <MetricsPanel moduleId={module.id} durationS={module.totalDuration} />
    </LatePart>
  )
}
