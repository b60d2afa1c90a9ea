import { nanoid } from 'nanoid'
import type { StepsAnswer } from '#contract/step.ts'
import { VIDEO_END_SLACK_S } from '#contract/step-editing.ts'
import type { TakeRecording } from '#contract/training/recording.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { copyObject } from '#worker/domain/media/copy-object.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { smallCopiesOf } from '#worker/domain/module/small-copy.ts'
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
import type { Caller } from '#worker/ports/identity.ts'
import { type CopiedObjects, listPublishedNames, runOfTaken, takeVideo } from './recording-store.ts'

/**
 * Has a module take the video of its new recording, with the times that its owner has looked at. Link, translations,
 * questions and statistics are the module's and stay.
 * @throws {AppError} not_found, steps_not_ready while either is made; invalid_request for a step outside of the video;
 *   version_conflict, with the steps as they are now, where they have changed since the caller saw them
 */
export async function takeRecording(
  context: Context,
  module: ModuleRow,
  { caller, recordingId, version, steps: times }: TakeRecording & { caller: Caller },
): Promise<StepsAnswer> {
  const recording = await getOwnModule(context.db, caller, recordingId)
  if (recording.replacesId !== module.id) throw moduleNotFound()
  requireBothReady(module, recording)
  if (module.stepsVersion !== version) throw await toConflict(context, module)
  const rows = await listSteps(context.db, module.id)
  const placed = placeRows(rows, times, recording)
  const copied = await copyObjects(context.bucket, module, recording)
  const lines = (await readTranscript(context, recording)).segments
  const published = await listPublishedNames(context.db, module.id)
  const steps = placed.map((step) => quote(avoidNames(step, published), lines, copied))
  if (!(await takeVideo(context.d1, { module, recording, copied, steps, nowMs: context.nowMs() }))) {
    await removeCopies(context.bucket, module.id, copied)
    throw await toConflict(context, module)
  }
  await takePoster(context.bucket, module, recording)
  await removeOld(context, module, published)
  return answerNow(context, module)
}

function requireBothReady(module: ModuleRow, recording: ModuleRow): void {
  const isReady = module.status === 'READY' && module.runStatus !== 'PROCESSING' && recording.runStatus === 'READY'
  if (!isReady) throw new AppError('steps_not_ready', 'One of the two videos is still being processed.')
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

  /** What is typed comes as long after the beginning as before; a frame of the old video is chosen anew. */
  function moveMoments(step: StepRow): StepToStore {
    const movedMs = step.startMs - (rows.find(({ id }) => id === step.id)?.startMs ?? 0)
    const commands = step.commands.map((command) => {
      const startMs = Math.min(step.endMs, Math.max(step.startMs, command.startMs + movedMs))
      return { ...command, startMs }
    })
    return { ...step, commands, imageAt: step.imageAt === 'none' ? 'none' : null, imageText: '', focus: null }
  }
}

/** Images are named by their moment, and that of another video under the same name would be taken for it. */
function avoidNames(step: StepToStore, published: ReadonlySet<string>): StepToStore {
  let { startMs } = step
  while (published.has(`step-${startMs}`)) startMs += 1
  return { ...step, startMs }
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
  const name = isCaptioned ? `c-${nanoid()}` : `${run}`
  const copyTo = async (from: string | null, to: string) => (await copyObject(bucket, from, to))?.key ?? null
  const transcriptKey = await copyTo(recording.transcriptKey, `${transcriptsOf(module.id)}${name}`)
  return {
    transcriptKey,
    captionsKey: isCaptioned ? transcriptKey : null,
    transcriptRun: transcriptKey === null ? null : isCaptioned ? CAPTIONS_RUN : run,
    screenKey: await copyTo(recording.screenKey, `${screensOf(module.id)}${nanoid()}`),
  }
}

async function removeCopies(bucket: R2Bucket, moduleId: string, copied: CopiedObjects): Promise<void> {
  for (const key of [copied.transcriptKey, copied.screenKey])
    if (key !== null) await removeTranscript(bucket, moduleId, key)
}

async function takePoster(bucket: R2Bucket, module: ModuleRow, recording: ModuleRow): Promise<void> {
  if (recording.hasPoster) await copyObject(bucket, `${imagesOf(recording.id)}poster`, `${imagesOf(module.id)}poster`)
}

/** Removes what was made of the old video alone. What learners see of a version stays. */
async function removeOld(
  { bucket }: Pick<Context, 'bucket'>,
  module: ModuleRow,
  published: ReadonlySet<string>,
): Promise<void> {
  const isKept = (name: string) => name === 'poster' || published.has(name)
  await removeObjects(bucket, imagesOf(module.id), (name) => !isKept(name))
  if (module.publishedVersion === null) await removeObjects(bucket, smallCopiesOf(module.id))
  for (const key of new Set([module.transcriptKey, module.captionsKey, module.screenKey]))
    if (key !== null) await removeTranscript(bucket, module.id, key)
}
