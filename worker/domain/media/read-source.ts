import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { failingModule } from './failing-module.ts'
import type { R2Window } from './r2-window.ts'

/**
 * What a stored video is. Costs a few range reads; see `readMediaFacts`.
 * @param knownDurationMs what an earlier call found, so that a file without a declared duration is not read twice
 * @param chosenId the track of audio to cut; null where Adapt chooses
 * @throws {AppError} `module_failed` with `unreadable`, `truncated`, `encrypted`, `source_missing` or `source_changed`
 */
export function readSourceFacts(
  source: R2Window,
  { knownDurationMs = null, chosenId }: { knownDurationMs?: number | null; chosenId: number | null },
): Promise<MediaFacts> {
  return failingModule(() => readMediaFacts(source, knownDurationMs, chosenId))
}
