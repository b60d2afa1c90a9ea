import { isOnlySilent } from '#contract/module.ts'
import type { RecordingAnswer } from '#contract/training/recording.ts'
import type { Context } from '#worker/core/context.ts'
import { mayDelete } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { alignSteps } from '#worker/domain/step/alignment/align-steps.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepRow } from '#worker/domain/step/tidy-section.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { findRecording } from './recording-store.ts'
import { mayTake } from './take-recording.ts'

type ReadContext = Pick<Context, 'db' | 'bucket'>

/** Reads how far the new recording of a module is and, once it is READY, where the module's steps are in it. */
export async function readRecording(context: ReadContext, caller: Caller, module: ModuleRow): Promise<RecordingAnswer> {
  const row = await findRecording(context.db, module.id)
  if (row === null) return { success: true, recording: null }
  const { id: moduleId, filename, status, progress, failureCode, durationMs } = row
  const rights = { mayTake: mayTake(caller, module, row), mayDrop: mayDelete(caller, row) }
  const file = { moduleId, filename, status, progress, failureCode: status === 'READY' ? null : failureCode }
  const length = { durationS: durationMs === null ? null : durationMs / 1_000, version: module.stepsVersion }
  const state = { ...file, ...rights, ...length }
  const isReadable = status === 'READY' || isOnlySilent(row)
  if (!isReadable) return { success: true, recording: { ...state, isSilent: false, steps: [], added: [] } }
  return { success: true, recording: { ...state, ...(await alignWith(context, module, row)) } }
}

async function alignWith(context: ReadContext, module: ModuleRow, recording: ModuleRow) {
  const [steps, before, after] = await Promise.all([
    listSteps(context.db, module.id),
    readTranscript(context, module),
    readTranscript(context, recording),
  ])
  const { times, added } = alignSteps({
    steps,
    before: before.segments,
    after: after.segments,
    language: module.language ?? recording.language,
  })
  const latestMs = recording.durationMs ?? Number.POSITIVE_INFINITY
  const propose = ({ id }: StepRow) => {
    const time = times.get(id) ?? null
    if (time === null || time.startMs >= latestMs) return null
    const endMs = Math.min(time.endMs, latestMs)
    return { start: time.startMs / 1_000, end: endMs / 1_000, confidence: time.confidence }
  }
  return {
    isSilent: before.segments.length === 0 || after.segments.length === 0,
    steps: steps.map((step) => ({ id: step.id, title: step.title, proposed: propose(step) })),
    added: added.map(({ startMs, endMs, text }) => ({ start: startMs / 1_000, end: endMs / 1_000, text })),
  }
}
