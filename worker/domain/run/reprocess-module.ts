import type { FailureCode, ReprocessRequest } from '#contract/module.ts'
import type { CaptionLanguage, CaptionsAnswer, CaptionsQuery } from '#contract/transcript.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { checkAiLeft, usdOfAudio } from '#worker/domain/quota/spend-ai.ts'
import { takeMinutes, takeRun } from '#worker/domain/quota/take-quota.ts'
import type { Cue } from '#worker/domain/transcript/cue.ts'
import { decodeCaptions } from '#worker/domain/transcript/decode-captions.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { storeCaptions } from '#worker/domain/transcript/transcript-store.ts'
import { isOfTrack, wantedTrack } from './audio-track-store.ts'
import type { RunId } from './fence.ts'
import { copyWork } from './kept-work-store.ts'
import { awaitsVideo, findRun, type RunRow } from './run-store.ts'
import { startRun } from './start-run.ts'

/** What the answer says of the captions. */
type AddedCaptions = Omit<CaptionsAnswer, 'success'>

/**
 * Takes a caption file for the words of a module. When the video is there already, a new run writes its steps, and a
 * module that is READY stays as it is until then; otherwise the first run will find the captions and not transcribe the
 * audio.
 * @param query how the bytes are to be read, and which language of two
 * @returns what was read, and what was done to read it
 * @throws {AppError} captions_invalid for a file without captions; quota_reached, and nothing has changed
 */
export async function addCaptions(
  context: Context,
  module: ModuleRow,
  bytes: Uint8Array,
  { charset, language: asked }: CaptionsQuery = {},
): Promise<AddedCaptions> {
  const { text, encoding, alternatives, log } = decodeCaptions(bytes, charset)
  const wanted = [asked, module.language?.split('-')[0]]
  const { cues, languages, language } = parseCaptions(text, { durationMs: module.durationMs, log, wanted })
  const segments = segmentsFromCues(cues)
  await takeRun(context, module)
  await storeCaptions(context, module.id, segments)
  // Read once more: the upload may have been completed, or another run begun, while the file was being sent.
  const now = await findModule(context.db, module.id)
  if (now !== null && now.sourceEtag !== null) await startRun(context, now, { trigger: 'captions' })
  const report = { encoding, alternatives, repairs: log.named, repairCount: log.count }
  return { cues: cues.length, ...report, languages: languages.map(describeLanguage), language }
}

/** Lines by which an owner knows a language. */
const FIRST_LINES = 3

function describeLanguage({ language, cues }: { language: string; cues: readonly Cue[] }): CaptionLanguage {
  return { language, cues: cues.length, firstLines: cues.slice(0, FIRST_LINES).map(({ text }) => text) }
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
