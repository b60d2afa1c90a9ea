import { and, desc, eq, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { AiUse, DebugListRequest, DebugScope } from '#contract/debug.ts'
import type { Db } from '#worker/db/db.ts'
import { feedback, questions } from '#worker/db/learner-tables.ts'
import { IS_FAILED, modules, runs, steps } from '#worker/db/schema.ts'
import { ABANDONED_AFTER_MS } from '#worker/domain/module/module-store.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { EVERYONE } from '#worker/domain/quota/quota-store.ts'
import { UNITS } from '#worker/domain/quota/take-quota.ts'
import { COUNT_WORK, type RunWork } from '#worker/domain/run/kept-work-store.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** The modules that the caller may inspect. */
export interface Sight {
  scope: DebugScope
  caller: Caller
}

/**
 * Users may inspect what they have uploaded, those who manage an organization's modules all of these, operators all.
 * @param operatorIds user ids, comma separated, as configured
 */
export function sightOf(caller: Caller, operatorIds: string): Sight {
  const operators = operatorIds.split(',').map((id) => id.trim())
  if (operators.includes(caller.userId)) return { scope: 'all', caller }
  return { scope: managesModules(caller) ? 'organization' : 'own', caller }
}

/** The longest that a piece of work may be silent: a queue job's 15 minutes, and the pause before its next try. */
export const STUCK_AFTER_MS = 20 * 60_000

function isSeen({ scope, caller }: Sight): SQL | undefined {
  if (scope === 'all') return sql`true`
  const isMine = eq(modules.userId, caller.userId)
  return scope === 'own' ? isMine : or(isMine, eq(modules.orgId, caller.orgId ?? ''))
}

function isOrphaned(nowMs: number): SQL {
  return sql`(${modules.sourceEtag} IS NULL AND ${modules.updatedAt} < ${nowMs - ABANDONED_AFTER_MS})`
}

function isStuck(nowMs: number): SQL {
  return sql`(${modules.runStatus} = 'PROCESSING' AND ${modules.sourceEtag} IS NOT NULL
    AND ${modules.updatedAt} < ${nowMs - STUCK_AFTER_MS})`
}

/** What is made again counts as that, too, and the newest run of what is not READY always has the module's own status. */
function isOfStatus(status: DebugListRequest['status'], orphaned: SQL): SQL | undefined {
  if (status === 'orphaned') return orphaned
  if (status === 'READY') return eq(modules.status, status)
  if (status === 'FAILED') return IS_FAILED
  return status && eq(modules.runStatus, status)
}

/** A module as the debug page lists it. Times are epoch milliseconds. */
export type DebugRow = Awaited<ReturnType<typeof selectRows>>[number]

function selectRows(db: Db, { caller: { userId, orgId } }: Sight, nowMs: number) {
  return db
    .select({
      id: modules.id,
      title: modules.title,
      userId: modules.userId,
      status: modules.status,
      runStatus: modules.runStatus,
      progress: modules.progress,
      message: modules.message,
      lastError: modules.lastError,
      createdAt: modules.createdAt,
      updatedAt: modules.updatedAt,
      isMine: sql`coalesce(${modules.userId} = ${userId} OR ${modules.orgId} = ${orgId}, false)`.mapWith(Boolean),
      isOrphaned: isOrphaned(nowMs).mapWith(Boolean),
      isStuck: isStuck(nowMs).mapWith(Boolean),
      stepsCount: db.$count(steps, eq(steps.moduleId, modules.id)),
      questionsCount: db.$count(questions, eq(questions.moduleId, modules.id)),
      feedbacksCount: db.$count(feedback, eq(feedback.moduleId, modules.id)),
    })
    .from(modules)
}

/** Modules that a caller may look into, newest first. Whatever has not a single byte yet is seen once it is orphaned. */
export function listForDebug(
  db: Db,
  sight: Sight,
  { limit, status, stuck, nowMs }: DebugListRequest & { nowMs: number },
): Promise<DebugRow[]> {
  const orphaned = isOrphaned(nowMs)
  const conditions = [
    isSeen(sight),
    or(isNotNull(modules.receivedAt), orphaned),
    isOfStatus(status, orphaned),
    status === 'PROCESSING' ? not(orphaned) : undefined,
    stuck && (stuck === 'true' ? isStuck(nowMs) : not(isStuck(nowMs))),
  ]
  return selectRows(db, sight, nowMs)
    .where(and(...conditions))
    .orderBy(desc(modules.createdAt), desc(modules.id))
    .limit(limit)
}

/** @returns null for a module that the caller may not look into, or that does not exist */
export async function findForDebug(db: Db, sight: Sight, moduleId: string, nowMs: number): Promise<DebugRow | null> {
  const [row] = await selectRows(db, sight, nowMs).where(and(isSeen(sight), eq(modules.id, moduleId)))
  return row ?? null
}

/** One run of a module. Times are epoch milliseconds; null before the event. */
export type DebugRunRow = Awaited<ReturnType<typeof listRuns>>[number]

/** The runs of a module, newest first, fifty at most. */
export async function listRuns(db: Db, moduleId: string) {
  const { run, trigger, outcome, failureCode, startedAt, admittedAt, endedAt, ...count } = runs
  const rows = await db
    .select({
      run,
      trigger,
      outcome,
      failureCode,
      startedAt,
      admittedAt,
      endedAt,
      audio: { done: count.transcribedCount, total: count.chunkCount },
      steps: { done: count.writtenSections, total: count.sectionCount },
      work: sql<string>`coalesce(${runs.work}, ${sql.raw(COUNT_WORK)})`,
    })
    .from(runs)
    .where(eq(runs.moduleId, moduleId))
    .orderBy(desc(runs.run))
    .limit(50)
  return rows.map(({ work, ...each }) => {
    const { audio, steps } = JSON.parse(work) as RunWork
    return { ...each, audio: { ...each.audio, ...audio }, steps: { ...each.steps, ...steps } }
  })
}

/** What models did for a module on one day (UTC, `YYYY-MM-DD`). */
export type AiUseRow = Omit<AiUse, 'transcribedMinutes'> & { transcribedMs: number }

/** What the unit of each thing that models do costs, in US dollars. */
export interface AiPrices {
  transcribedMs: number
  section: number
  answer: number
}

const dayOf = (ms: unknown) => sql`strftime('%Y-%m-%d', ${ms} / 1000, 'unixepoch')`

/** The dearest of a caller's uses of models, and what all of them cost. */
export interface AiUses {
  rows: AiUseRow[]
  totalUsd: number
}

/** Sums up what models did since a time, by module and day. A run counts for the day that it began on. */
export async function listAiUse(
  db: Db,
  sight: Sight,
  { sinceMs, prices, limit }: { sinceMs: number; prices: AiPrices; limit: number },
): Promise<AiUses> {
  // The modules come first in each join, so that no more is read than theirs, however many others there are.
  const used = await db.all<AiUseRow & { totalUsd: number }>(sql`
    SELECT *, sum(estimatedUsd) OVER () AS totalUsd FROM (
      SELECT id AS moduleId, title, day, sum(ms) AS transcribedMs, sum(sections) AS writtenSections,
        sum(answers) AS modelAnswers,
        sum(ms) * ${prices.transcribedMs} + sum(sections) * ${prices.section} + sum(answers) * ${prices.answer} AS estimatedUsd
      FROM (
        SELECT modules.id, modules.title, ${dayOf(sql`u.started_at`)} AS day, u.transcribed_ms AS ms,
          u.written_sections AS sections, 0 AS answers
        FROM modules CROSS JOIN runs AS u WHERE u.module_id = modules.id AND u.started_at >= ${sinceMs} AND ${isSeen(sight)}
        UNION ALL
        SELECT modules.id, modules.title, u.day, 0, 0, u.model_answers
        FROM modules CROSS JOIN tutor_days AS u WHERE u.module_id = modules.id AND u.day >= ${dayOf(sinceMs)} AND ${isSeen(sight)}
      ) GROUP BY id, day)
    ORDER BY estimatedUsd DESC LIMIT ${limit}`)
  return { rows: used.map(({ totalUsd: _total, ...row }) => row), totalUsd: used[0]?.totalUsd ?? 0 }
}

/**
 * The same of everybody, by what was paid: the sum is read from a row for each day, and the dearest modules of some
 * days from an index, so that neither costs more the more modules there are.
 */
export async function listDearestAiUse(
  db: Db,
  { sinceMs, days, limit }: { sinceMs: number; days: readonly string[]; limit: number },
): Promise<AiUses> {
  const dearest = days.map(
    (day) => sql`SELECT * FROM (SELECT module_id, day, amount FROM quota_uses INDEXED BY quota_uses_by_day
      WHERE day = ${day} AND kind = 'ai' AND amount > 0 AND module_id <> ${EVERYONE} ORDER BY amount DESC LIMIT ${limit})`,
  )
  const ofRuns = (sum: SQL) =>
    sql`(SELECT coalesce(sum(${sum}), 0) FROM runs WHERE module_id = id AND ${dayOf(sql`started_at`)} = day)`
  const rows = await db.all<AiUseRow>(sql`
    SELECT id AS moduleId, title, day, amount / ${UNITS.ai * 1.0} AS estimatedUsd,
      ${ofRuns(sql`transcribed_ms`)} AS transcribedMs, ${ofRuns(sql`written_sections`)} AS writtenSections,
      coalesce((SELECT model_answers FROM tutor_days t WHERE t.module_id = id AND t.day = u.day), 0) AS modelAnswers
    FROM (${sql.join(dearest, sql` UNION ALL `)}) AS u CROSS JOIN modules WHERE id = u.module_id
    ORDER BY amount DESC LIMIT ${limit}`)
  const [sum] = await db.all<{ paid: number }>(sql`
    SELECT coalesce(sum(amount), 0) AS paid FROM quota_uses
    WHERE module_id = ${EVERYONE} AND kind = 'ai' AND day >= ${dayOf(sinceMs)}`)
  return { rows, totalUsd: (sum?.paid ?? 0) / UNITS.ai }
}
