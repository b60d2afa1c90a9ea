import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { seesDraft } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { RemovedSteps } from '#web/features/removed-steps/removed-steps.tsx'
import { MoreToCome } from '#web/features/step/growing-steps.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { LocalStepEditor, useLocalEditing } from '#web/features/step-editor/local-step-editor.tsx'
import { RowActions } from '#web/features/step-editor/step-tools.tsx'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import { offerUndo } from '#web/features/step-editor/use-step-editing.ts'
import type { StepSaves } from '#web/features/step-editor/use-step-saves.ts'
import { StepReports } from '#web/features/step-report/trainer-reports.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { trainingPath } from '../shared/paths.ts'
import { useModuleSaves, useReplaceSteps, useTrainingUpdates } from '../shared/use-training-updates.ts'
import { EditStepsLayout, EditStepsSkeleton, EditStepsToolbar, NoStepsToEdit } from './edit-steps-layout.tsx'
import { StepRows } from './step-rows.tsx'
import { TrainingVideo, useTrainingVideo } from './training-video.tsx'

/** Everything stays on this page until Save Changes sends it. */
function EditStepsWorkspace({ module, query }: { module: LoadedModule; query: UseQueryResult<StepsAnswer> }) {
  const saves = useModuleSaves(module.id, query)
  const { player, videoPlace, playhead, currentId, jumpTo, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: saves.steps,
  })
  const editing = useLocalEditing({ saves, playhead, durationS: module.totalDuration })
  const { steps, problems } = editing
  const { refusals, isLeaving, save } = useSaveAll(editing)
  const isGrowing = module.status === 'PROCESSING'
  const onRestored = useReplaceSteps(module.id)

  return (
    <EditStepsLayout
      moduleId={module.id}
      title={module.title}
      video={
        <div ref={videoPlace} className="scroll-mt-20">
          <TrainingVideo ref={player} module={module} steps={saves.steps} onTimeChange={onTimeChange} />
        </div>
      }
      toolbar={
        <EditStepsToolbar
          stepCount={steps.length}
          errorCount={refusals > 0 ? countAll(problems.values()) : 0}
          isSaving={saves.isSaving}
          hasUnsaved={editing.hasUnsaved}
          onAdd={editing.add}
          onSave={save}
          onDeleteAll={() => deleteAll(saves, editing.forget)}
        />
      }
    >
      {steps.length === 0 && <NoStepsToEdit query={query} isGrowing={isGrowing} />}
      <StepRows
        editing={editing}
        posterUrl={module.posterUrl}
        currentId={currentId}
        onJump={jumpTo}
        errorCountOf={(step) => (refusals > 0 ? countAll([problems.get(step.id) ?? {}]) : 0)}
        renderReports={({ id }) => module.role === 'owner' && <StepReports moduleId={module.id} stepId={id} />}
        renderActions={(step, number) => <RowActions {...{ step, number, editing }} />}
        renderEditor={(entry, number) => (
          <LocalStepEditor
            key={entry.base.id}
            moduleId={module.id}
            posterUrl={module.posterUrl}
            {...{ entry, number, refusals, playhead, editing }}
          />
        )}
      />
      {isGrowing && steps.length > 0 && <MoreToCome />}
      <RemovedSteps moduleId={module.id} version={query.data?.meta.version ?? 0} onRestored={onRestored} />
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
      <UnsavedGuard isUnsaved={!isLeaving && (editing.hasUnsaved || saves.isSaving)} />
    </EditStepsLayout>
  )
}

/** Saves when nothing is wrong and leaves for the dashboard; otherwise opens the first step that is wrong. */
function useSaveAll({ steps, problems, open, save }: ReturnType<typeof useLocalEditing>) {
  const navigate = useNavigate()
  const [refusals, setRefusals] = useState(0)
  const [isLeaving, setIsLeaving] = useState(false)
  useEffect(() => {
    // Only after the guard has received that nothing is unsaved any more.
    if (isLeaving) void navigate('/dashboard')
  }, [isLeaving, navigate])

  async function saveAll() {
    const wrong = steps.find((step) => problems.has(step.id))
    if (wrong === undefined) return setIsLeaving((await save()) === 'saved')
    setRefusals(refusals + 1)
    open(wrong)
  }
  return { refusals, isLeaving, save: saveAll }
}

function countAll(problems: Iterable<object>): number {
  return [...problems].reduce((sum, found) => sum + Object.keys(found).length, 0)
}

/** At once, as it was confirmed; for a moment it can be taken back. */
function deleteAll(saves: StepSaves, forget: () => void): void {
  const { steps } = saves.read()
  const saved = saves.save({ kind: 'clear' })
  void saved.then((isSaved) => isSaved && forget())
  offerUndo({ done: m.all_steps_deleted(), saved, undo: () => saves.save({ kind: 'insert', steps, afterId: null }) })
}

/** `/edit-steps/{moduleId}`: all steps of a module, changed together and saved at once. */
export function EditStepsPage() {
  const { moduleId = '' } = useParams()
  return <EditedModule key={moduleId} moduleId={moduleId} />
}

function EditedModule({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const query = useQuery(moduleQuery(callApi, moduleId))
  const module = query.data
  const isEditor = module !== undefined && seesDraft(module.role)
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: isEditor })
  const announcement = useTrainingUpdates(moduleId, module)
  usePageTitle(module === undefined ? m.edit_steps() : m.edit_steps_title({ title: module.title }))
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {query.isError && module === undefined && (
        <ModuleUnavailable error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <EditStepsSkeleton />}
      {module && !isEditor && <OwnersOnly moduleId={moduleId} />}
      {module &&
        isEditor &&
        (steps.isPending ? <EditStepsSkeleton /> : <EditStepsWorkspace module={module} query={steps} />)}
    </>
  )
}

function OwnersOnly({ moduleId }: { moduleId: string }) {
  return (
    <Notice
      icon={Lock}
      title={m.only_its_owner_can_edit()}
      actions={<ButtonLink to={trainingPath(moduleId)}>{m.back_to_the_training()}</ButtonLink>}
    >
      <p>{m.you_can_watch_this_training()}</p>
    </Notice>
  )
}
