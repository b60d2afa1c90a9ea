import type { DebugListRequest, DebugScope, DebugStatus } from '#contract/debug.ts'
import type { FailureCode, ModuleStatus } from '#contract/module.ts'
import type { TaskKind } from '#worker/db/schema.ts'
import { ABANDONED_AFTER_MS } from '#worker/domain/module/module-store.ts'
import { has, ORG_ADMIN } from '#worker/domain/organization/has.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** The modules that the caller may inspect. */
export interface Sight {
  scope: DebugScope
  caller: Caller
}

/**
 * Users may inspect what they own, the admins of an organization all of its modules, and operators all modules.
 * @param operatorIds user ids, comma separated, as configured
 */
export function sightOf(caller: Caller, operatorIds: string): Sight {
  const operators = operatorIds.split(',').map((id) => id.trim())
  if (operators.includes(caller.userId)) return { scope: 'all', caller }
  return { scope: has(caller, ORG_ADMIN) ? 'organization' : 'own', caller }
}

/** The longest that a piece of work may be silent: a queue job's 15 minutes, and the pause before its next try. */
export const STUCK_AFTER_MS = 20 * 60_000

/** A module as the debug page lists it, with what SQLite made of its conditions (1 is true). Times are epoch milliseconds. */
export interface DebugRow {
  id: string
  title: string
  userId: string
  status: ModuleStatus
  progress: number
  message: string
  lastError: string | null
  createdAt: number
  updatedAt: number
  /** Whether the caller owns it. */
  isMine: 0 | 1
  isOrphaned: 0 | 1
  isStuck: 0 | 1
  stepsCount: number
  questionsCount: number
  feedbacksCount: number
}

/** Parameters 1 and 2 are the caller. Each names both, for D1 refuses values that no parameter takes. */
const SEEN = {
  own: 'm.user_id = ?1 AND ?2 IS ?2',
  organization: '(m.org_id = ?2 OR m.user_id = ?1)',
  all: '?1 IS ?1 AND ?2 IS ?2',
} as const

const IS_ORPHANED = `(m.source_etag IS NULL AND m.updated_at < ?3 - ${ABANDONED_AFTER_MS})`
const IS_STUCK = `(m.status = 'PROCESSING' AND m.source_etag IS NOT NULL AND m.updated_at < ?3 - ${STUCK_AFTER_MS})`

function selectRows({ scope }: Sight, where: string): string {
  return `
    SELECT m.id, m.title, m.user_id AS userId, m.status, m.progress, m.message, m.last_error AS lastError,
           m.created_at AS createdAt, m.updated_at AS updatedAt,
           coalesce(m.user_id = ?1 OR m.org_id = ?2, false) AS isMine,
           ${IS_ORPHANED} AS isOrphaned, ${IS_STUCK} AS isStuck,
           (SELECT count(*) FROM steps WHERE module_id = m.id) AS stepsCount,
           (SELECT count(*) FROM questions WHERE module_id = m.id) AS questionsCount,
           (SELECT count(*) FROM feedback WHERE module_id = m.id) AS feedbacksCount
    FROM modules m WHERE ${SEEN[scope]} AND ${where}`
}

/** What a status asks for, as a condition. */
const HAS_STATUS: Record<DebugStatus, string> = {
  PROCESSING: `m.status = 'PROCESSING' AND NOT ${IS_ORPHANED}`,
  READY: "m.status = 'READY'",
  FAILED: "m.status = 'FAILED'",
  orphaned: IS_ORPHANED,
}

/** Modules that a caller may look into, newest first. Whatever has not a single byte yet is seen once it is orphaned. */
export async function listForDebug(
  d1: D1Database,
  sight: Sight,
  { limit, status, stuck, nowMs }: DebugListRequest & { nowMs: number },
): Promise<DebugRow[]> {
  const conditions = [
    `(m.received_at IS NOT NULL OR ${IS_ORPHANED})`,
    ...(status === undefined ? [] : [HAS_STATUS[status]]),
    ...(stuck === undefined ? [] : [stuck === 'true' ? IS_STUCK : `NOT ${IS_STUCK}`]),
  ]
  const sql = `${selectRows(sight, conditions.join(' AND '))} ORDER BY m.created_at DESC, m.id DESC LIMIT ?4`
  const { userId, orgId } = sight.caller
  const { results } = await d1.prepare(sql).bind(userId, orgId, nowMs, limit).all<DebugRow>()
  return results
}

/** @returns null for a module that the caller may not look into, or that does not exist */
export function findForDebug(d1: D1Database, sight: Sight, moduleId: string, nowMs: number): Promise<DebugRow | null> {
  const { userId, orgId } = sight.caller
  return d1.prepare(selectRows(sight, 'm.id = ?4')).bind(userId, orgId, nowMs, moduleId).first<DebugRow>()
}

/**
 * One run of a module. Times are epoch milliseconds, null for what has not happened; `partCount` and `sectionCount` are
 * null until all of them are known.
 */
export interface DebugRunRow {
  run: number
  trigger: 'upload' | 'captions' | 'reprocess' | 'recut'
  startedAt: number
  admittedAt: number | null
  endedAt: number | null
  outcome: 'ready' | 'failed' | 'superseded' | null
  failureCode: FailureCode | null
  partCount: number | null
  transcribed: number
  audioTries: number
  mostAudioTries: number
  lastTranscribedAt: number | null
  sectionCount: number | null
  written: number
  stepTries: number
  mostStepTries: number
  drafts: number
}

/** A task that was claimed, once more than it failed. */
const ATTEMPTS_OF = (kind: TaskKind) =>
  `CASE WHEN t.kind = '${kind}' AND t.lease_id IS NOT NULL THEN t.attempts + 1 ELSE 0 END`
const sumAttempts = (kind: TaskKind) => `coalesce(sum(${ATTEMPTS_OF(kind)}), 0)`
const mostAttempts = (kind: TaskKind) => `coalesce(max(${ATTEMPTS_OF(kind)}), 0)`

/** Pieces of a run that has ended may have been cleared away; what it counted stays. */
const RUNS = `
  SELECT r.run, r.trigger, r.started_at AS startedAt, r.admitted_at AS admittedAt, r.ended_at AS endedAt, r.outcome,
         r.failure_code AS failureCode, r.chunk_count AS partCount, r.transcribed_count AS transcribed,
         t.audioTries, t.mostAudioTries,
         max(p.transcribed_at) AS lastTranscribedAt, r.section_count AS sectionCount, r.written_sections AS written,
         t.stepTries, t.mostStepTries, s.drafts
  FROM runs r
  LEFT JOIN audio_chunks p ON p.module_id = r.module_id AND p.run = r.run
  JOIN (SELECT r3.run, ${sumAttempts('transcribe')} AS audioTries, ${mostAttempts('transcribe')} AS mostAudioTries,
               ${sumAttempts('write_steps')} AS stepTries, ${mostAttempts('write_steps')} AS mostStepTries
        FROM runs r3 LEFT JOIN tasks t ON t.module_id = r3.module_id AND t.run = r3.run
        WHERE r3.module_id = ?1 GROUP BY r3.run) t ON t.run = r.run
  JOIN (SELECT r2.run, coalesce(sum(s.is_draft), 0) AS drafts
        FROM runs r2 LEFT JOIN sections s ON s.module_id = r2.module_id AND s.run = r2.run
        WHERE r2.module_id = ?1 GROUP BY r2.run) s ON s.run = r.run
  WHERE r.module_id = ?1 GROUP BY r.run ORDER BY r.run DESC LIMIT 50`

/** The runs of a module, newest first, fifty at most. */
export async function listRuns(d1: D1Database, moduleId: string): Promise<DebugRunRow[]> {
  return (await d1.prepare(RUNS).bind(moduleId).all<DebugRunRow>()).results
}

/** What models did for a module on one day (UTC, `YYYY-MM-DD`). */
export interface AiUseRow {
  moduleId: string
  title: string
  day: string
  transcribedMs: number
  writtenSections: number
  modelAnswers: number
}

const DAY = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')"

/** What models did since a time, by module and day. A run counts for the day that it began on. */
export async function listAiUse(d1: D1Database, { scope, caller }: Sight, sinceMs: number): Promise<AiUseRow[]> {
  const sql = `
    SELECT m.id AS moduleId, m.title, u.day, sum(u.transcribedMs) AS transcribedMs, sum(u.sections) AS writtenSections,
           sum(u.answers) AS modelAnswers
    FROM modules m JOIN (
      SELECT module_id, ${DAY} AS day, transcribed_ms AS transcribedMs, written_sections AS sections, 0 AS answers
      FROM (SELECT *, started_at AS at FROM runs WHERE started_at >= ?3)
      UNION ALL
      SELECT module_id, day, 0, 0, model_answers FROM tutor_days
      WHERE day >= strftime('%Y-%m-%d', ?3 / 1000, 'unixepoch')
    ) u ON u.module_id = m.id
    WHERE ${SEEN[scope]} GROUP BY m.id, u.day`
  return (await d1.prepare(sql).bind(caller.userId, caller.orgId, sinceMs).all<AiUseRow>()).results
}
