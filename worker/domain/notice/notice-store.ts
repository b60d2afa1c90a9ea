import { sql } from 'drizzle-orm'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { deleteInSteps, listRows, runSql } from '#worker/db/db.ts'
import { tasks } from '#worker/db/task-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { isMail, type Notice } from './notice.ts'
import { eventIdsOf, isEvent, noticeId, orgIn } from './notice-subject.ts'

/** An address that was stopped for longer gets no new events, and those that wait are removed: nobody misses them. */
const EVENTS_KEPT_MS = 7 * DAY_MS
/** Events that one sweep removes at most. */
const REMOVED_AT_ONCE = 5_000

/** Events that one call has tried again at once; more of them follow by their own pauses. */
const TRIED_AGAIN = 1_000

/** Whether an organization wants what goes out this way: ?1 organization, ?3 now. */
const WANTED = {
  person: '?1 IS NOT NULL',
  checkpoint: 'EXISTS (SELECT 1 FROM glossaries WHERE org_id = ?1 AND checkpoint_mail IS NOT NULL)',
  event: `EXISTS (SELECT 1 FROM webhooks WHERE org_id = ?1 AND coalesce(stopped_at, ?3) > ?3 - ${EVENTS_KEPT_MS})`,
} as const

function wayOf(notice: Notice): keyof typeof WANTED {
  if (!isMail(notice)) return 'event'
  return notice.kind === 'checkpoint_mail' ? 'checkpoint' : 'person'
}

/** Makes the statements that add the tasks of notices, where the organization wants them, for the batch of what they tell. */
export function addNotices(
  d1: D1Database,
  orgId: string,
  { notices, nowMs }: { notices: readonly Notice[]; nowMs: number },
): D1PreparedStatement[] {
  return [...Map.groupBy(notices, wayOf)].map(([way, some]) => {
    const rows = some.map((notice) => [noticeId(orgId, notice), JSON.stringify(notice)])
    const add = `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, payload, next_attempt_at)
      SELECT 'notice', value ->> 0, 'notify', 0, value ->> 1, ?3 FROM json_each(?2)
      WHERE ${WANTED[way]} ON CONFLICT DO NOTHING`
    return d1.prepare(add).bind(orgId, JSON.stringify(rows), nowMs)
  })
}

/** An address as it is kept. */
export interface WebhookRow {
  url: string
  secret: string
  okAt: number | null
  failedAt: number | null
  failure: string | null
  stoppedAt: number | null
}

/** Reads where an organization has events sent to; null for nowhere. */
export async function findWebhook(d1: D1Database, orgId: string): Promise<WebhookRow | null> {
  const query = `SELECT url, secret, ok_at AS okAt, failed_at AS failedAt, failure, stopped_at AS stoppedAt
    FROM webhooks WHERE org_id = ?`
  const [row] = await listRows<WebhookRow>(d1, query, orgId)
  return row ?? null
}

/** Counts the events of an organization that wait to be sent. */
export async function countWaiting(d1: D1Database, orgId: string): Promise<number> {
  const query = `SELECT count(*) AS waiting FROM task_queue INDEXED BY task_queue_ready
    WHERE kind = 'notify' AND state = 'ready' AND subject_id >= ? AND subject_id < ?`
  const [row] = await listRows<{ waiting: number }>(d1, query, ...eventIdsOf(orgId))
  return row?.waiting ?? 0
}

/** Lets events that have failed be sent now, as if they had not; all others wait for nothing. */
const TRY_AGAIN = `UPDATE task_queue SET next_attempt_at = ?3, attempts = 0 WHERE rowid IN (
  SELECT rowid FROM task_queue WHERE subject_kind = 'notice' AND subject_id >= ?1 AND subject_id < ?2
    AND lease_until = 0 AND attempts > 0 LIMIT ${TRIED_AGAIN})`

/** Sets the address of an organization, with a new secret. What waits is sent there at once. */
export async function storeWebhook(
  d1: D1Database,
  orgId: string,
  { url, secret, nowMs }: { url: string; secret: string; nowMs: number },
): Promise<void> {
  const store = `INSERT INTO webhooks (org_id, url, secret, updated_at) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (org_id) DO UPDATE SET url = excluded.url, secret = excluded.secret,
      ok_at = iif(url = excluded.url, ok_at, NULL), failed_at = NULL, failure = NULL, stopped_at = NULL,
      updated_at = excluded.updated_at`
  await d1.batch([
    // The webhook goes with the settings of an organization that has ended.
    setSettings(d1, { orgId, updatedAt: nowMs }),
    d1.prepare(store).bind(orgId, url, secret, nowMs),
    d1.prepare(TRY_AGAIN).bind(...eventIdsOf(orgId), nowMs),
  ])
}

/** Has events sent again to an address that was stopped. Without an address nothing happens. */
export async function resumeWebhook(d1: D1Database, orgId: string, nowMs: number): Promise<void> {
  await d1.batch([
    d1.prepare('UPDATE webhooks SET stopped_at = NULL WHERE org_id = ?').bind(orgId),
    d1.prepare(TRY_AGAIN).bind(...eventIdsOf(orgId), nowMs),
  ])
}

/**
 * Removes the address of an organization with the events that wait. Without an address none is added; more of them than
 * one call may remove end when they are due.
 */
export async function removeWebhook({ db, d1 }: Pick<Context, 'db' | 'd1'>, orgId: string): Promise<void> {
  await runSql(d1, 'DELETE FROM webhooks WHERE org_id = ?', orgId)
  const [from, to] = eventIdsOf(orgId)
  await deleteInSteps(db, tasks, sql`subject_kind = 'notice' AND subject_id >= ${from} AND subject_id < ${to}`)
}

const ARE_MISSED = `SELECT t.rowid FROM task_queue AS t INDEXED BY task_queue_ready
  CROSS JOIN webhooks AS w ON w.org_id = ${orgIn('t.subject_id')}
  WHERE t.kind = 'notify' AND t.state = 'ready' AND ${isEvent('t.subject_id')} AND w.stopped_at < ?1
  LIMIT ${REMOVED_AT_ONCE}`

/** Removes events that wait at an address which was stopped too long ago: each claim reads them in vain. */
export async function removeMissedEvents(d1: D1Database, nowMs: number): Promise<void> {
  await runSql(d1, `DELETE FROM task_queue WHERE rowid IN (${ARE_MISSED})`, nowMs - EVENTS_KEPT_MS)
}

/**
 * Notes that an event was taken, while the address is still the one that it was sent to. Written once a minute: of a
 * thousand events the last is enough.
 */
export async function noteTaken(
  d1: D1Database,
  { orgId, url, nowMs }: { orgId: string; url: string; nowMs: number },
): Promise<void> {
  await runSql(
    d1,
    `UPDATE webhooks SET ok_at = ?2, failed_at = NULL, failure = NULL
     WHERE org_id = ?1 AND url = ?3 AND (failed_at IS NOT NULL OR coalesce(ok_at, 0) < ?2 - 60000)`,
    orgId,
    nowMs,
    url,
  )
}

/**
 * Notes why an event was not taken, and that nothing more is sent where it was tried for the last time, while the
 * address is still the one that it was sent to.
 */
export async function noteNotTaken(
  d1: D1Database,
  { orgId, url, reason, isLast, nowMs }: { orgId: string; url: string; reason: string; isLast: boolean; nowMs: number },
): Promise<void> {
  await runSql(
    d1,
    `UPDATE webhooks SET failed_at = ?2, failure = ?3, stopped_at = coalesce(stopped_at, iif(?4, ?2, NULL))
     WHERE org_id = ?1 AND url = ?5`,
    orgId,
    nowMs,
    reason,
    isLast ? 1 : 0,
    url,
  )
}
