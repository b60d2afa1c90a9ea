import type { Limits, Quotas } from '#worker/core/context.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import type { quotaUses } from '#worker/db/operation-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'

/** What is counted by the person alone, since each adds rows that nothing else bounds. */
export type RowKind = 'feedback' | 'questions' | 'runs' | 'photos'

/** The owner, and the module, of the row that holds the sum of all together. */
export const EVERYONE = 'everyone'

/** An amount to count, with its module, user and organization. */
export type QuotaUse = Omit<typeof quotaUses.$inferSelect, 'kind' | 'refund' | 'refundAt'> & { kind: keyof Limits }

const USED_BY = {
  user: '(SELECT coalesce(sum(amount), 0) FROM quota_uses WHERE user_id = ?4 AND kind = ?2 AND day = ?3',
  organization: '(SELECT coalesce(sum(amount), 0) FROM quota_uses WHERE org_id = ?5 AND kind = ?2 AND day = ?3',
} as const

/** ?1 module, ?2 kind, ?3 day, ?4 user, ?5 organization, ?6 amount, ?7 and ?8 the most of each. */
const TAKE_ONCE = `
  INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount) SELECT ?1, ?2, ?3, ?4, ?5, ?6
  WHERE NOT EXISTS (SELECT 1 FROM quota_uses WHERE module_id = ?1 AND kind = ?2 AND amount >= ?6)
    AND (?7 IS NULL OR ?6 + ${USED_BY.user} AND module_id <> ?1) <= ?7)
    AND (?5 IS NULL OR ?8 IS NULL OR ?6 + ${USED_BY.organization} AND module_id <> ?1) <= ?8)
  ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = excluded.amount`
/** Counts an upload again that was refused: its signed address takes another file for a while. */
const KEEP = `
  UPDATE quota_uses SET refund = 0, refund_at = NULL
  WHERE module_id = ?1 AND kind = ?2 AND amount >= ?3 AND refund_at IS NOT NULL`
const HAS_TAKEN = 'SELECT 1 FROM quota_uses WHERE module_id = ?1 AND kind = ?2 AND amount >= ?3'

/**
 * Counts something of a module once, where it fits under every limit: one statement, so that however many come at the
 * same moment, no sum ever passes its limit.
 * @returns whether it counts now, or did before
 */
export async function takeOnce(d1: D1Database, use: QuotaUse, { user, organization }: Quotas): Promise<boolean> {
  const { kind, moduleId, day, userId, orgId, amount } = use
  const [, , taken] = await d1.batch([
    d1.prepare(TAKE_ONCE).bind(moduleId, kind, day, userId, orgId, amount, user[kind], organization[kind]),
    d1.prepare(KEEP).bind(moduleId, kind, amount),
    d1.prepare(HAS_TAKEN).bind(moduleId, kind, amount),
  ])
  return taken?.results.length === 1
}

/** The owner of a module pays for what models do with it. ?1 module, ?2 kind, ?3 day, ?4 amount, ?5 to ?7 the most. */
const PAY = `
  INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount)
  SELECT m.id, ?2, ?3, m.user_id, m.org_id, ?4 FROM modules m WHERE m.id = ?1
    AND (?5 IS NULL OR ?4 + (SELECT coalesce(sum(u.amount), 0) FROM quota_uses u
      WHERE u.user_id = m.user_id AND u.kind = ?2 AND u.day = ?3) <= ?5)
    AND (m.org_id IS NULL OR ?6 IS NULL OR ?4 + (SELECT coalesce(sum(u.amount), 0) FROM quota_uses u
      WHERE u.org_id = m.org_id AND u.kind = ?2 AND u.day = ?3) <= ?6)
    AND (?7 IS NULL OR ?4 + coalesce((SELECT u.amount FROM quota_uses u
      WHERE u.module_id = '${EVERYONE}' AND u.kind = ?2 AND u.day = ?3), 0) <= ?7)
  ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = amount + excluded.amount`
/** The same towards the sum of all together, where the statement before it has written. ?1 kind, ?2 day, ?3 amount. */
const PAY_OF_EVERYONE = `
  INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount)
  SELECT '${EVERYONE}', ?1, ?2, '${EVERYONE}', NULL, ?3 WHERE changes() > 0
  ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = amount + excluded.amount`

/** Adds what a call costs, of a model where no other kind is named, where it fits under every limit. @returns whether it was added */
export async function pay(
  d1: D1Database,
  { moduleId, kind = 'ai', day, amount }: Pick<QuotaUse, 'moduleId' | 'day' | 'amount'> & { kind?: keyof Limits },
  { user, organization, everyone }: Quotas,
): Promise<boolean> {
  const ofEveryone = kind === 'ai' ? everyone.ai : null
  const [paid] = await d1.batch([
    d1.prepare(PAY).bind(moduleId, kind, day, amount, user[kind], organization[kind], ofEveryone),
    ...(kind === 'ai' ? [d1.prepare(PAY_OF_EVERYONE).bind(kind, day, amount)] : []),
  ])
  return (paid?.meta.changes ?? 0) > 0
}

/** ?1 organization, ?2 day, ?3 and ?4 the most of it and of all together. */
const ADD_MAIL = `
  INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount) SELECT ?1, 'mails', ?2, ?1, ?1, 1
  WHERE (?3 IS NULL OR ?3 >= 1) AND (?4 IS NULL OR ?4 > coalesce((SELECT u.amount FROM quota_uses u
    WHERE u.module_id = '${EVERYONE}' AND u.kind = 'mails' AND u.day = ?2), 0))
  ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = amount + 1 WHERE ?3 IS NULL OR amount < ?3`

/** Counts a mail of an organization, where it fits under both limits. @returns whether it did */
export async function addMail(
  d1: D1Database,
  { orgId, day }: { orgId: string; day: string },
  { mails }: Pick<Quotas, 'mails'>,
): Promise<boolean> {
  const [added] = await d1.batch([
    d1.prepare(ADD_MAIL).bind(orgId, day, mails.organization, mails.everyone),
    d1.prepare(PAY_OF_EVERYONE).bind('mails', day, 1),
  ])
  return (added?.meta.changes ?? 0) > 0
}

/** ?1 person, ?2 kind, ?3 day, ?4 amount, ?5 the most. */
const ADD_OF_PERSON = `
  INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount) SELECT ?1, ?2, ?3, ?1, NULL, ?4 WHERE ?4 <= ?5
  ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = amount + ?4 WHERE amount + ?4 <= ?5`

/** Counts more of a kind for a person, where it fits under the limit: one statement. @returns whether it did */
export async function addOfPerson(
  d1: D1Database,
  { kind, day, userId, amount }: { kind: RowKind | 'rows'; day: string; userId: string; amount: number },
  limit: number,
): Promise<boolean> {
  return (await runSql(d1, ADD_OF_PERSON, userId, kind, day, amount, limit)) > 0
}

/** A row of a user's counted amounts. */
export type UseRow = Pick<QuotaUse, 'kind' | 'moduleId' | 'day' | 'amount'>

const USES = `
  SELECT kind, module_id AS moduleId, day, amount FROM quota_uses
  WHERE user_id = ?1 AND (kind, day, module_id) > (?2, ?3, ?4) ORDER BY kind, day, module_id LIMIT ?5`

/** Lists a user's counted amounts that are stored, after one of them. */
export function listUsesOf(d1: D1Database, userId: string, { after, limit }: PageAt<UseRow>): Promise<UseRow[]> {
  const { kind, day, moduleId } = after ?? { kind: '', day: '', moduleId: '' }
  return listRows(d1, USES, userId, kind, day, moduleId, limit)
}

/**
 * Refunds what was added for a call that never came to anything or cost less, or for rows that were not written. Adds
 * what a call has cost more, where the amount is negative.
 */
export async function refundUse(
  d1: D1Database,
  {
    moduleId,
    kind = 'ai',
    day,
    amount,
  }: { moduleId: string; kind?: 'ai' | 'rows' | 'mails'; day: string; amount: number },
): Promise<void> {
  const sql = `
    UPDATE quota_uses SET amount = max(0, amount - ?4) WHERE module_id IN (?1, '${EVERYONE}') AND kind = ?2 AND day = ?3`
  await runSql(d1, sql, moduleId, kind, day, amount)
}

/** What a module's owner and organization have used of a kind on a day. The organization's is 0 without one. */
export async function readUses(
  d1: D1Database,
  { kind, day, userId, orgId }: Pick<QuotaUse, 'kind' | 'day' | 'userId' | 'orgId'>,
): Promise<{ user: number; organization: number }> {
  const sql = `SELECT ${USED_BY.user}) AS user, ${USED_BY.organization}) AS organization WHERE ?1 IS ?1`
  const [row] = await listRows<{ user: number; organization: number }>(d1, sql, null, kind, day, userId, orgId)
  return row ?? { user: 0, organization: 0 }
}

/** Removes the uses that were reserved for a module that was refused, so that no upload address was issued for it. */
export async function removeUses(d1: D1Database, moduleId: string): Promise<void> {
  await runSql(d1, 'DELETE FROM quota_uses WHERE module_id = ?1', moduleId)
}

/**
 * A module that no model has been asked about counts for no owner: it was discarded, or refused, before it cost anything.
 * Its bytes are gone in either case.
 */
const REFUND_LATER = `
  UPDATE quota_uses SET refund = amount, refund_at = ?2 WHERE module_id = ?1 AND (kind = 'bytes'
    OR kind IN ('modules', 'minutes')
    AND NOT EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND (transcribed_count > 0 OR written_sections > 0))
    AND NOT EXISTS (SELECT 1 FROM task_queue WHERE subject_kind = 'run' AND kind <> 'ingest' AND lease_id IS NOT NULL
      AND subject_id IN (SELECT module_id || '/' || run FROM runs WHERE module_id = ?1))
)`

/** Has an upload that was discarded or refused count no longer from a moment on, unless something was spent on it. */
export async function refundUpload(d1: D1Database, moduleId: string, atMs: number): Promise<void> {
  await runSql(d1, REFUND_LATER, moduleId, atMs)
}

/** Has a reservation count only as what has arrived from a moment on. */
export async function refundReserved(
  d1: D1Database,
  moduleId: string,
  { reserved, arrived, atMs }: { reserved: number; arrived: number; atMs: number },
): Promise<void> {
  const sql = `UPDATE quota_uses SET refund = max(0, ?2 - ?3), refund_at = ?4
    WHERE module_id = ?1 AND kind = 'bytes' AND amount >= ?2`
  await runSql(d1, sql, moduleId, reserved, arrived, atMs)
}

/** Modules of which something is to be refunded by now. */
export function listRefundsDue(d1: D1Database, nowMs: number, limit: number): Promise<{ moduleId: string }[]> {
  // Otherwise the primary key would be read from end to end, because it puts equal modules together.
  const sql = `SELECT DISTINCT module_id AS moduleId FROM quota_uses INDEXED BY quota_uses_to_refund
    WHERE refund_at <= ?1 LIMIT ?2`
  return listRows(d1, sql, nowMs, limit)
}

/** Takes off what is to be refunded of a module by now. */
export async function refundDue(d1: D1Database, moduleId: string, nowMs: number): Promise<void> {
  const isDue = 'WHERE module_id = ?1 AND refund_at <= ?2'
  const take = `UPDATE quota_uses SET amount = amount - refund, refund = 0, refund_at = NULL ${isDue}`
  await d1.batch([
    d1.prepare(`DELETE FROM quota_uses ${isDue} AND amount <= refund`).bind(moduleId, nowMs),
    d1.prepare(take).bind(moduleId, nowMs),
  ])
}

/** Forgets days that no limit looks at any more. The sums of everyone stay until `sumsFrom`. */
export function removeUsesBefore(d1: D1Database, day: string, sumsFrom: string): Promise<number> {
  const sql = `DELETE FROM quota_uses WHERE day < ?1 AND (module_id <> '${EVERYONE}' OR day < ?2)`
  return runSql(d1, sql, day, sumsFrom)
}
