import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { failingModule } from './failing-module.ts'
import type { R2Window } from './r2-window.ts'

/**
 * What a stored video is. Costs a few range reads; see `readMediaFacts`.
 * @param knownDurationMs what an earlier call found, so that a file without a declared duration is not read twice
 * @throws {AppError} `module_failed` with `unreadable`, `truncated`, `encrypted`, `source_missing` or `source_changed`
 */
export function readSourceFacts(source: R2Window, knownDurationMs: number | null = null): Promise<MediaFacts> {
  return failingModule(() => readMediaFacts(source, knownDurationMs))
}
