import { SCREEN_BLOCKS_MAX, SCREEN_SECRETS_MAX, type ScreenReading } from '#contract/screen.ts'
import { joinBlocks, joinSecrets } from './join-blocks.ts'

/**
 * Decides what counts once a video has been read again, so that nothing is lost by that: a reading that goes on takes the
 * place of a complete one when it has reached as far, and one that ended earlier leaves what comes after it.
 * @returns the reading before where that stays
 */
export function replaceReading(before: ScreenReading | null, next: ScreenReading): ScreenReading {
  if (before === null || !before.isDone || next.readMs >= before.readMs) return next
  if (!next.isDone) return before
  const isLater = ({ startMs }: { startMs: number }) => startMs >= next.readMs
  return {
    ...next,
    readMs: before.readMs,
    secrets: joinSecrets([...next.secrets, ...before.secrets.filter(isLater)]).slice(0, SCREEN_SECRETS_MAX),
    blocks: joinBlocks([...next.blocks, ...before.blocks.filter(isLater)]).slice(0, SCREEN_BLOCKS_MAX),
  }
}
