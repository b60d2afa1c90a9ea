import type { FailureCode, ReprocessRequest } from '#contract/module.ts'
import type { CaptionsQuery } from '#contract/transcript.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { checkAiLeft, usdOfAudio } from '#worker/domain/quota/spend-ai.ts'
import { takeMinutes, takeRun } from '#worker/domain/quota/take-quota.ts'
import {
  type CaptionedVideo,
  type CaptionReport,
  readCaptionFile,
} from '#worker/domain/transcript/read-caption-file.ts'
import { readTranscript, sourceOf, storeCaptions } from '#worker/domain/transcript/transcript-store.ts'
import { isOfTrack, wantedTrack } from './audio-track-store.ts'
import type { RunId } from './fence.ts'
import { copyWork } from './kept-work-store.ts'
import { awaitsVideo, findRun, type RunRow } from './run-store.ts'
import { startRun } from './start-run.ts'

/**
 * What is known of the video of a module: its length by what the browser said until it is read, its speech only where the
 * transcript is of speech.
 */
async function readVideo(context: Context, module: ModuleRow): Promise<CaptionedVideo> {
  const speech = sourceOf(module) === 'speech' ? (await readTranscript(context, module)).segments : []
  // A browser that cannot tell may say 0.
  const durationMs = module.durationMs ?? (module.declaredDurationMs || null)
  return { durationMs, language: module.language, speech }
}

/**
 * Reads a caption file for a module and says what would become of it; nothing is stored.
 * @throws {AppError} captions_invalid for a file without captions
 */
export async function previewCaptions(
  context: Context,
  module: ModuleRow,
  bytes: Uint8Array,
  choices: CaptionsQuery,
): Promise<CaptionReport> {
  return readCaptionFile(bytes, choices, await readVideo(context, module)).report
}

/**
 * Takes a caption file for the words of a module. When the video is there already, a new run writes its steps, and a
 * module that is READY stays as it is until then; otherwise the first run will find the captions and not transcribe the
 * audio.
 * @param choices how the file is to be read; what is left out is found out
 * @returns what was read, and what was done to read it
 * @throws {AppError} captions_invalid for a file without captions; quota_reached, and nothing has changed
 */
export async function addCaptions(
  context: Context,
  module: ModuleRow,
  bytes: Uint8Array,
  choices: CaptionsQuery = {},
): Promise<CaptionReport> {
  const { segments, report } = readCaptionFile(bytes, choices, await readVideo(context, module))
  await takeRun(context, module)
  // The training is in the language of its captions from now on: its texts are marked and translated as such.
  await storeCaptions(context, module.id, segments, report.spoken === null ? null : report.language)
  // Read once more: the upload may have been completed, or another run begun, while the file was being sent.
  const now = await findModule(context.db, module.id)
  if (now !== null && now.sourceEtag !== null) await startRun(context, now, { trigger: 'captions' })
  return report
}

/** The audio or its transcription caused these failures, so a retry repeats both. */
const WITHOUT_USABLE_WORK: ReadonlySet<FailureCode> = new Set([
  'not_understood',
  'no_narration',
  'captions_elsewhere',
  'unnamed',
  'source_missing',
])

/**
 * Begins a new run because a person asked for it, from where the last one broke off or from the start. The same request
 * again, while its run is at work, is that run, also when several come at the same moment.
 * @throws {AppError} upload_missing before the video has arrived; quota_reached, and nothing has changed
 */
export async function reprocessModule(context: Context, module: ModuleRow, request: ReprocessRequest): Promise<RunId> {
  if (module.sourceEtag === null) {
    throw new AppError('upload_missing', 'The video has not arrived yet. Please upload it again.')
  }
  const requestedFrom = request.from ?? 'failed'
  const current = await findSame(context, module, requestedFrom)
  if (current !== null) return current
  const previous = await findRun(context.db, { moduleId: module.id, run: module.run })
  const isUsable = previous === null || (!awaitsVideo(previous) && isOfTrack(previous, module))
  const isKept = keepsWork(module, request) && isUsable
  await checkQuotas(context, module, isKept ? previous : null)
  await takeRun(context, module)
  const begun = await beginAgain(context, module, { requestedFrom, isKept })
  if (begun !== null) return begun
  // Another request began a run at the same moment; its options decide whether it is this one.
  const now = await findModule(context.db, module.id)
  if (now === null) throw new AppError('not_found', 'This training module is no longer available.')
  return reprocessModule(context, now, request)
}

/**
 * Begins a new run of a module that a busy model has left undone, from where the last one ended. No person asks for it,
 * so it counts towards no person's quota of runs.
 * @returns false when a run has begun meanwhile
 */
export async function resumeModule(context: Context, moduleId: string): Promise<boolean> {
  const module = await findModule(context.db, moduleId)
  if (module === null || module.failureCode !== 'ai_busy') return false
  return (await beginAgain(context, module, { requestedFrom: 'failed', isKept: true })) !== null
}

function beginAgain(
  context: Context,
  module: ModuleRow,
  { requestedFrom, isKept }: { requestedFrom: string; isKept: boolean },
): Promise<RunId | null> {
  return startRun(context, module, {
    trigger: 'reprocess',
    request: requestedFrom,
    prepare: async ({ moduleId, run: to }) => {
      if (isKept) await copyWork(context.d1, { moduleId, from: module.run, to, nowMs: context.nowMs() })
    },
  })
}

async function findSame(context: Context, module: ModuleRow, requestedFrom: string): Promise<RunId | null> {
  if (module.runStatus !== 'PROCESSING') return null
  const run = await findRun(context.db, { moduleId: module.id, run: module.run })
  const isSame = run !== null && run.trigger === 'reprocess' && run.request === requestedFrom
  // One that has not read the video yet takes the track that is chosen now.
  const isOther = run?.audioTrack != null && wantedTrack(module) !== null && !isOfTrack(run, module)
  return isSame && !isOther ? { moduleId: module.id, run: module.run } : null
}

/** Whether the new run reuses what the last one cut, transcribed and wrote. */
function keepsWork(module: ModuleRow, request: ReprocessRequest): boolean {
  if (module.run === 0 || request.from === 'start') return false
  if (module.runStatus === 'READY') return module.failureCode === 'ai_busy'
  return module.failureCode === null || !WITHOUT_USABLE_WORK.has(module.failureCode)
}

/**
 * Checks the quotas before the run begins, because a run that exceeds one would turn a READY module into a FAILED one.
 * Captions need no transcription, so they count for nothing.
 */
async function checkQuotas(context: Context, module: ModuleRow, keptRun: RunRow | null): Promise<void> {
  const { durationMs, captionsKey } = module
  if (captionsKey !== null) return
  // Audio that was cut has been counted, and `ingest`, which counts a video of unknown length, does not look at it again.
  if (durationMs === null || (keptRun !== null && keptRun.chunkCount !== null)) return
  if (keptRun === null) await checkAiLeft(context, module, usdOfAudio(durationMs))
  await takeMinutes(context, module, durationMs)
}
