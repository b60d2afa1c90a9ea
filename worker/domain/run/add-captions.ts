import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { rowsOfCaptions, takeRun, withReservedRows } from '#worker/domain/quota/reserve-rows.ts'
import { decodeCaptions, parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { countStoredSegments, replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import type { RunDeps } from './run-deps.ts'
import { startRun } from './start-run.ts'

/**
 * Makes a caption file the module's transcript. When the video is there already, a new run writes its steps; otherwise
 * the first run will find the captions and not transcribe the audio.
 * @returns the number of cues
 * @throws {AppError} captions_invalid, naming the line of the first bad cue; quota_reached, and nothing has changed
 */
export async function addCaptions(deps: RunDeps, module: ModuleRow, bytes: Uint8Array): Promise<number> {
  const cues = parseCaptions(decodeCaptions(bytes))
  const segments = segmentsFromCues(cues).map((segment) => ({ ...segment, confidence: null }))
  await takeRun(deps, module)
  const most = rowsOfCaptions(segments.length + (await countStoredSegments(deps.d1, module.id)))
  await withReservedRows(deps, { userId: module.userId, most }, (d1) => replaceTranscript(d1, module.id, segments))
  // Read once more: the upload may have been completed, or another run begun, while the file was being sent.
  const now = await findModule(deps.db, module.id)
  if (now !== null && now.sourceEtag !== null) await startRun(deps, now, { trigger: 'captions' })
  return cues.length
}
