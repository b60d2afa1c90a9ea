import { listRows, runSql } from '#worker/db/db.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { accountLearnerId } from './learner-token.ts'
import { ACCOUNT_TOKEN_TTL_MS } from './learning-limits.ts'

/** Bytes of a name: no two of a million are alike. The ids of accounts are random, so that no hash of one finds it. */
const NAME_BYTES = 16
const nameOf = (learnerId: string) => hashText(`erased:${learnerId}`, NAME_BYTES)

/** ?1 person, ?2 name of the learner. */
const ERASED_AT = `SELECT max(at) AS at FROM (
  SELECT requested_at AS at FROM account_erasures WHERE user_id = ?1
  UNION ALL SELECT erased_at FROM erased_learners WHERE who = ?2)`

/**
 * Whether what was signed for an account's learner is no permission any more: the account was erased since, or it is
 * older than any token may be.
 */
export async function isOutlived(
  d1: D1Database,
  learnerId: string,
  { signedMs, nowMs }: { signedMs: number; nowMs: number },
): Promise<boolean> {
  if (signedMs + ACCOUNT_TOKEN_TTL_MS <= nowMs) return true
  const userId = learnerId.slice(accountLearnerId('').length)
  const [row] = await listRows<{ at: number | null }>(d1, ERASED_AT, userId, await nameOf(learnerId))
  return signedMs <= (row?.at ?? Number.NEGATIVE_INFINITY)
}

/** Remembers without a name that an account was erased, for as long as tokens that were signed before may be around. */
export async function markErased(d1: D1Database, userId: string, erasedMs: number): Promise<void> {
  const sql = `INSERT INTO erased_learners (who, erased_at) VALUES (?1, ?2)
    ON CONFLICT (who) DO UPDATE SET erased_at = max(erased_at, excluded.erased_at)`
  await runSql(d1, sql, await nameOf(accountLearnerId(userId)), erasedMs)
}

/** Forgets erasures that no token is older than. */
export function removeErasedBefore(d1: D1Database, beforeMs: number): Promise<number> {
  return runSql(d1, 'DELETE FROM erased_learners WHERE erased_at < ?1', beforeMs)
}
