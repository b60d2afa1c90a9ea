import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { takeRun } from '#worker/domain/quota/reserve-rows.ts'
import { decodeCaptions, parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import type { RunDeps } from './run-deps.ts'
import { startRun } from './start-run.ts'

/**
 * Makes a caption file the module's transcript. When the video is there already, a new run writes its steps anew;
 * otherwise the first run will find the captions and not listen to the sound.
 * @returns the number of cues
 * @throws {AppError} captions_invalid, naming the line of the first bad cue; quota_reached, and nothing has changed
 */
export async function addCaptions(deps: RunDeps, module: ModuleRow, bytes: Uint8Array): Promise<number> {
  const cues = parseCaptions(decodeCaptions(bytes))
  await takeRun(deps, module)
  await replaceTranscript(
    deps.d1,
    module.id,
    segmentsFromCues(cues).map((segment) => ({ ...segment, confidence: null })),
  )
  // Read again: the video may have been confirmed, or another run begun, while the file was on its way.
  const now = await findModule(deps.db, module.id)
  if (now !== null && now.sourceEtag !== null) await startRun(deps, now, { trigger: 'captions' })
  return cues.length
}
