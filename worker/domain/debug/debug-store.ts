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

/** What the chunks, sections and tasks of a run count. Attempts are failures and one more for each task that was claimed. */
interface RunWork {
  audioTries: number
  mostAudioTries: number
  lastTranscribedAt: number | null
  stepTries: number
  mostStepTries: number
  drafts: number
}

/**
 * One run of a module. Times are epoch milliseconds, null for what has not happened; `partCount` and `sectionCount` are
 * null until all of them are known.
 */
export interface DebugRunRow extends RunWork {
  run: number
  trigger: 'upload' | 'captions' | 'reprocess' | 'recut'
  startedAt: number
  admittedAt: number | null
  endedAt: number | null
  outcome: 'ready' | 'failed' | 'superseded' | null
  failureCode: FailureCode | null
  partCount: number | null
  transcribed: number
  sectionCount: number | null
  written: number
}

const ofRun = (what: string, table: string) =>
  `(SELECT ${what} FROM ${table} AS t WHERE t.module_id = runs.module_id AND t.run = runs.run)`
const attempts = (fold: 'sum' | 'max', kind: TaskKind) =>
  ofRun(`coalesce(${fold}(iif(t.kind = '${kind}' AND t.lease_id IS NOT NULL, t.attempts + 1, 0)), 0)`, 'tasks')

/** SQL for a {@link RunWork} as JSON, of a row of `runs`. A run that ends well keeps it, for what it counts is dropped then. */
export const COUNT_WORK = `json_object(
  'audioTries', ${attempts('sum', 'transcribe')}, 'mostAudioTries', ${attempts('max', 'transcribe')},
  'lastTranscribedAt', ${ofRun('max(t.transcribed_at)', 'audio_chunks')},
  'stepTries', ${attempts('sum', 'write_steps')}, 'mostStepTries', ${attempts('max', 'write_steps')},
  'drafts', ${ofRun('coalesce(sum(t.is_draft), 0)', 'sections')})`

/** The runs of a module, newest first, fifty at most. */
export async function listRuns(d1: D1Database, moduleId: string): Promise<DebugRunRow[]> {
  const sql = `
    SELECT run, "trigger", started_at AS startedAt, admitted_at AS admittedAt, ended_at AS endedAt, outcome,
           failure_code AS failureCode, chunk_count AS partCount, transcribed_count AS transcribed,
           section_count AS sectionCount, written_sections AS written, coalesce(work, ${COUNT_WORK}) AS work
    FROM runs WHERE module_id = ?1 ORDER BY run DESC LIMIT 50`
  const { results } = await d1.prepare(sql).bind(moduleId).all<Omit<DebugRunRow, keyof RunWork> & { work: string }>()
  return results.map(({ work, ...run }) => ({ ...run, ...(JSON.parse(work) as RunWork) }))
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
