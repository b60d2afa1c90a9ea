import { nanoid } from 'nanoid'
import { isOnlySilent, UNPUBLISHED } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import { VIDEO_END_SLACK_S } from '#contract/step-editing.ts'
import type { TakeRecording } from '#contract/training/recording.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { copyObject, copyTo } from '#worker/domain/media/copy-object.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { getOwnModule, mayDelete, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { smallCopiesOf } from '#worker/domain/module/small-copy.ts'
import { removeAudio } from '#worker/domain/run/chunk-store.ts'
import { screensOf } from '#worker/domain/screen/screen-reading.ts'
import { answerNow, toConflict } from '#worker/domain/step/save-steps.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepRow, StepToStore } from '#worker/domain/step/tidy-section.ts'
import {
  CAPTIONS_RUN,
  readTranscript,
  removeTranscript,
  type Segment,
  transcriptsOf,
} from '#worker/domain/transcript/transcript-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type CopiedObjects, runOfTaken, takeVideo } from './recording-store.ts'

/** R2 deletes so many objects in one call. */
const REMOVED_AT_ONCE = 1_000

/**
 * Has a module take the video of its new recording, with the times that its owner has looked at. Link, translations,
 * questions and statistics are the module's and stay.
 * @throws {AppError} not_found, also for those who may not delete both videos, steps_not_ready while either is made; invalid_request for a step outside of the video;
 *   version_conflict, with the steps as they are now, where they have changed since the caller saw them
 */
export async function takeRecording(
  context: Context,
  module: ModuleRow,
  { caller, recordingId, version, steps: times }: TakeRecording & { caller: Caller },
): Promise<StepsAnswer> {
  const recording = await getOwnModule(context.db, caller, recordingId)
  if (recording.replacesId !== module.id || !mayTake(caller, module, recording)) throw moduleNotFound()
  requireBothReady(module, recording)
  if (module.stepsVersion !== version) throw await toConflict(context, module)
  const rows = await listSteps(context.db, module.id)
  const placed = placeRows(rows, times, recording)
  const copied = await copyObjects(context.bucket, module, recording)
  const lines = (await readTranscript(context, recording)).segments
  const steps = placed.map((step) => quote(step, lines, copied))
  const taken = { module, recording, copied, steps, userId: caller.userId, nowMs: context.nowMs() }
  const images = await takeVideo(context.d1, taken)
  if (images === null) {
    await removeCopies(context.bucket, module.id, copied)
    throw await toConflict(context, module)
  }
  const followUps = [takePoster(context.bucket, module, recording), removeOld(context, module, images)]
  await settle('recording_not_tidied', module.id, followUps)
  return answerNow(context, module)
}

/** The old video goes for good, and the recording as a training of its own. */
export function mayTake(caller: Caller, module: ModuleRow, recording: ModuleRow): boolean {
  return mayDelete(caller, module) && mayDelete(caller, recording)
}

/** Waits for work whose failure does not undo what was done before it. */
export async function settle(event: string, moduleId: string, works: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') logLine('warn', event, { moduleId, ...faultOf(result.reason) })
}

function requireBothReady(module: ModuleRow, recording: ModuleRow): void {
  // A later run that has failed leaves a module as it was.
  const isReady = ({ status, runStatus }: ModuleRow) => status === 'READY' && runStatus !== 'PROCESSING'
  if (!isReady(module) || !(isReady(recording) || isOnlySilent(recording)))
    throw new AppError('steps_not_ready', 'One of the two videos is still being processed.')
}

/** The named steps at their new times, in the order in which the new recording has them. */
function placeRows(rows: readonly StepRow[], times: TakeRecording['steps'], recording: ModuleRow): StepToStore[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const latestMs = (recording.durationMs ?? Number.POSITIVE_INFINITY) + VIDEO_END_SLACK_S * 1_000
  const placed = times.map(({ id, start, end }) => {
    const row = byId.get(id)
    if (!byId.delete(id) || row === undefined) throw new AppError('invalid_request', 'steps: name each step once.')
    const [startMs, endMs] = [Math.round(start * 1_000), Math.round(end * 1_000)]
    if (endMs > latestMs) throw new AppError('invalid_request', `"${row.title}" ends after the video does.`)
    return { ...row, startMs, endMs }
  })
  return placed.map(moveMoments).toSorted((one, other) => one.startMs - other.startMs)

  /** What is typed comes as long after the beginning as before; a frame and a detail of the old video are chosen anew. */
  function moveMoments(step: StepRow): StepToStore {
    const movedMs = step.startMs - (rows.find(({ id }) => id === step.id)?.startMs ?? 0)
    const commands = step.commands.map((command) => {
      const startMs = Math.min(step.endMs, Math.max(step.startMs, command.startMs + movedMs))
      return { ...command, startMs }
    })
    return { ...step, commands, imageAt: step.imageAt === 'none' ? 'none' : null, imageText: '', focus: null }
  }
}

/** What is said in a step now. */
function quote(step: StepToStore, lines: readonly Segment[], { transcriptRun }: CopiedObjects): StepToStore {
  const own = lines.filter(({ startMs, endMs }) => {
    const middleMs = (startMs + endMs) / 2
    return middleMs >= step.startMs && middleMs < step.endMs
  })
  const segmentIds = own.map(({ id }) =>
    transcriptRun === CAPTIONS_RUN ? id : id.replace(/^s\d+/, `s${transcriptRun}`),
  )
  return { ...step, segmentIds, originalText: own.map(({ text }) => text).join(' ') }
}

/** Copies what the recording has beside its video, since its own goes with its module. */
async function copyObjects(bucket: R2Bucket, module: ModuleRow, recording: ModuleRow): Promise<CopiedObjects> {
  const isCaptioned = recording.transcriptRun === CAPTIONS_RUN
  const run = runOfTaken(module)
  // Another call may copy them at the same time, and one of the two removes its copies.
  const name = isCaptioned ? `c-${nanoid()}` : `${run}-${nanoid()}`
  const transcriptKey = await copyTo(bucket, recording.transcriptKey, `${transcriptsOf(module.id)}${name}`)
  return {
    transcriptKey,
    captionsKey: isCaptioned ? transcriptKey : null,
    transcriptRun: transcriptKey === null ? null : isCaptioned ? CAPTIONS_RUN : run,
    screenKey: await copyTo(bucket, recording.screenKey, `${screensOf(module.id)}${nanoid()}`),
  }
}

async function removeCopies(bucket: R2Bucket, moduleId: string, copied: CopiedObjects): Promise<void> {
  for (const key of [copied.transcriptKey, copied.screenKey])
    if (key !== null) await removeTranscript(bucket, moduleId, key)
}

/** Learners of a version keep the poster of its video; an owner's browser draws that of the next one. */
async function takePoster(bucket: R2Bucket, module: ModuleRow, recording: ModuleRow): Promise<void> {
  if (!recording.hasPoster || isReleased(module)) return
  await copyObject(bucket, { from: `${imagesOf(recording.id)}poster`, to: `${imagesOf(module.id)}poster` })
}

/** Whether learners see a version, whose video stays. */
function isReleased({ publishedVersion }: ModuleRow): boolean {
  return publishedVersion !== null && publishedVersion !== UNPUBLISHED
}

/** Removes what was made of the old video alone. What learners see of a version stays. */
async function removeOld(
  { bucket }: Pick<Context, 'bucket'>,
  module: ModuleRow,
  images: readonly string[],
): Promise<void> {
  const keys = images.map((name) => `${imagesOf(module.id)}${name}`)
  while (keys.length > 0) await bucket.delete(keys.splice(0, REMOVED_AT_ONCE))
  await removeAudio(bucket, { moduleId: module.id, run: module.run })
  if (!isReleased(module)) await removeObjects(bucket, smallCopiesOf(module.id))
  for (const key of new Set([module.transcriptKey, module.captionsKey, module.screenKey]))
    if (key !== null) await removeTranscript(bucket, module.id, key)
}
