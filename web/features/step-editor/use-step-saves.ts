import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { toast } from 'sonner'
import { StepsAnswer, VersionConflict } from '#contract/step.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { replaceQueryData } from '#web/lib/query-client.ts'
import { useStore } from '#web/lib/use-store.ts'
import { type KnownSteps, type Save, type SaveOutcome, SaveQueue } from './save-queue.ts'
import { applyChanges, type StepChange, toSaveRequest } from './step-change.ts'

interface StepSavesOptions {
  moduleId: string
  /** Query key of the answer of `GET /api/steps/{id}`. */
  stepsKey: QueryKey
  /** What is there now; undefined where there are no steps, because then there is no answer. */
  answer: StepsAnswer | undefined
  /** Version of a list that is not answered, as it is now. */
  readEmptyVersion: () => number
}

export type StepSaves = ReturnType<typeof useStepSaves>

/** Saves changes of a module's steps in their order, and shows them at once. */
export function useStepSaves({ moduleId, stepsKey, answer, readEmptyVersion }: StepSavesOptions) {
  const queryClient = useQueryClient()
  const callApi = useApi()
  /** What is known now, also between two draws of the page. */
  const read = () => readKnown(queryClient.getQueryData<StepsAnswer>(stepsKey), readEmptyVersion())
  const [queue] = useState(
    () =>
      new SaveQueue({
        read,
        send(change, { steps, version }) {
          const path = `/api/steps/${encodeURIComponent(moduleId)}`
          if (change.kind === 'clear') return callApi({ path, method: 'DELETE', schema: StepsAnswer })
          const body = { ...toSaveRequest(steps, change), version }
          return callApi({ path, method: 'POST', body, schema: StepsAnswer })
        },
        keep: ({ steps, version, editedVersion }, answer) =>
          replaceQueryData<StepsAnswer>(
            queryClient,
            stepsKey,
            (before) =>
              answer ?? (before && { ...before, steps: [...steps], meta: { ...before.meta, version, editedVersion } }),
          ),
        readConflict,
      }),
  )
  const { changes, conflict } = useStore(queue.store)
  const emptyVersion = readEmptyVersion()
  // Not `answer`: the page receives a new one later than the queue drops the change that it contains.
  const newest = queryClient.getQueryData<StepsAnswer>(stepsKey) ?? answer
  const knownSteps = useMemo(() => readKnown(newest, emptyVersion), [newest, emptyVersion])
  /** The list with all changes that are being saved. */
  const steps = useMemo(() => applyChanges(knownSteps.steps, changes), [knownSteps.steps, changes])

  /** Saves; a failure is shown in a toast. */
  async function push(save: Save): Promise<SaveOutcome> {
    const outcome = await queue.push(save)
    if (outcome.kind === 'failed') notifyFailure(save.change, outcome.error)
    return outcome
  }
  /** Saves on the newest version. @returns whether it is saved */
  const save = async (change: StepChange) => (await push({ change })).kind === 'saved'
  const { choose, isForeignSince } = queue
  return { steps, known: knownSteps, read, isSaving: changes.length > 0, conflict, choose, isForeignSince, push, save }
}

function readKnown(answer: StepsAnswer | undefined, emptyVersion: number): KnownSteps {
  if (answer === undefined) return { steps: [], version: emptyVersion, editedVersion: 0 }
  const { version, editedVersion } = answer.meta
  return { steps: answer.steps, version, editedVersion }
}

/** Reads the other version from a 409, which counts as seen from then on. */
function readConflict(error: unknown): KnownSteps | null {
  if (!(error instanceof ApiError) || error.code !== 'version_conflict') return null
  const conflict = VersionConflict.safeParse(error.body)
  if (!conflict.success) return null
  const { steps, version } = conflict.data
  return { steps, version, editedVersion: version }
}

/** @see specification §8 */
function notifyFailure(change: StepChange, error: unknown): void {
  toast.error(describeFailure(change), error instanceof ApiError ? { description: error.message } : {})
}

function describeFailure(change: StepChange): string {
  if (change.kind === 'clear') return m.failed_to_delete_step_file()
  if (change.kind === 'batch' || change.kind === 'chapter') return m.failed_to_save()
  if (change.kind === 'insert') return m.failed_to_add_step_please()
  const isDeletion = change.kind === 'replace' && change.by.length === 0
  return isDeletion ? m.failed_to_delete_step() : m.failed_to_save_step()
}
