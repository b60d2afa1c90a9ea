import type { AiUseAnswer } from '#contract/debug.ts'
import type { Sight } from './debug-scope.ts'
import { listAiUse } from './debug-store.ts'
import { presentAiUse } from './present-debug.ts'

const DAYS = 30
const DAY_MS = 24 * 60 * 60_000
const ROWS_MAX = 100

/** What the models did in the last thirty days, and about what that costs. The sum is of all, not of the rows alone. */
export async function readAiUse(d1: D1Database, sight: Sight, nowMs: number): Promise<AiUseAnswer> {
  const used = (await listAiUse(d1, sight, nowMs - DAYS * DAY_MS)).map(presentAiUse)
  const rows = used.sort((left, right) => right.estimatedUsd - left.estimatedUsd).slice(0, ROWS_MAX)
  const totalUsd = used.reduce((sum, { estimatedUsd }) => sum + estimatedUsd, 0)
  return { success: true, scope: sight.scope, totalUsd, rows }
}
