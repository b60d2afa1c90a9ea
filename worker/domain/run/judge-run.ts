import { judgeHearing } from '#worker/domain/transcript/judge-hearing.ts'
import { failRun } from './fail-run.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunRow } from './run-store.ts'

/**
 * Ends a run as FAILED when what has been heard tells that going on is of no use. Depends on the sums alone, so whoever
 * asks, and whenever, gets the same answer.
 * @returns whether it was of no use
 */
export async function endIfInVain(deps: RunDeps, run: RunRow): Promise<boolean> {
  const isComplete = run.partCount !== null && run.heardCount >= run.partCount
  const verdict = judgeHearing(run, { isComplete })
  if (verdict !== 'not_understood' && verdict !== 'no_narration') return false
  await failRun(deps, run, { code: verdict, reason: REASONS[verdict] })
  return true
}

const REASONS = {
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file (.vtt or .srt) and we will use that instead.',
  no_narration:
    'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.',
} as const
