import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import type { Context } from '#worker/core/context.ts'
import { type Db, listRows } from '#worker/db/db.ts'
import { type learners, learningSessions } from '#worker/db/learner-tables.ts'
import { readPages } from '#worker/db/read-pages.ts'
import { makeHasher } from '#worker/domain/signed-payload.ts'
import { SESSIONS_PER_LEARNER } from './learning-limits.ts'

/** Names a learner for one module: the same each time, of no use to find the account or the learner elsewhere. */
export type Pseudonymise = (...what: string[]) => Promise<string>

/** This many of a pseudonym's 32 bytes are shown, so that a million pseudonyms do not collide. */
const BYTES = 16

/** @param secrets known to this server alone, so that an id cannot be found by hashing every id */
export async function openPseudonyms(secrets: string, moduleId: string): Promise<Pseudonymise> {
  const hash = await makeHasher(secrets, { purpose: 'learner', sizeBytes: BYTES })
  return (...what) => hash(moduleId, ...what)
}

/** The same as an UUID of RFC 9562's version 8, as ids of statements have to be. */
export function toUuid(pseudonym: string): string {
  const version = `8${pseudonym.slice(13, 16)}`
  const variant = `8${pseudonym.slice(17, 20)}`
  return [pseudonym.slice(0, 8), pseudonym.slice(8, 12), version, variant, pseudonym.slice(20, 32)].join('-')
}

/** Learners that are named at once; only their ids are read. */
const IDS_AT_ONCE = 5_000
const IDS =
  'SELECT learner_id AS learnerId FROM learners WHERE module_id = ?1 AND learner_id > ?2 ORDER BY learner_id LIMIT ?3'

/** Finds the learner of a module whom downloads give this name; null when there is none. */
export async function findLearnerId(
  { d1, secrets }: Pick<Context, 'd1' | 'secrets'>,
  moduleId: string,
  pseudonym: string,
): Promise<string | null> {
  const pseudonymise = await openPseudonyms(secrets, moduleId)
  const pages = readPages<Pick<ExportedLearner, 'learnerId'>>(IDS_AT_ONCE, ({ after, limit }) =>
    listRows(d1, IDS, moduleId, after?.learnerId ?? '', limit),
  )
  for await (const page of pages) {
    const names = await Promise.all(page.map(({ learnerId }) => pseudonymise(learnerId)))
    const found = page[names.indexOf(pseudonym)]
    if (found !== undefined) return found.learnerId
  }
  return null
}

/** A learner as exports show them; `learnerId` is never to be shown, `verifiedSeconds` are those that the clock allows. */
export interface ExportedLearner
  extends Pick<typeof learners.$inferSelect, 'learnerId' | 'seenSeconds' | 'verifiedSeconds' | 'positionS'> {
  seen: TimeRanges
  /** When the learner had seen as much as completes the module now; null where that is not so. */
  completedAtMs: number | null
  firstAtMs: number
  lastAtMs: number
}

/** One opened page of a learner. */
export type ExportedSession = typeof learningSessions.$inferSelect

/** Learners that are read at once: of a hundred thousand a request asks a hundred times. */
const AT_ONCE = 1_000
/** Sessions that are read at once: a kilobyte each at most. */
const SESSIONS_AT_ONCE = 500

/** SQL of how many seconds of the video that learners see are shown. */
const SHOWN_S = `(coalesce(m.learner_source->>'durationMs', m.duration_ms, 0) / 1000.0
  - (SELECT coalesce(sum((value ->> 1) - (value ->> 0)), 0) FROM json_each(coalesce(m.learner_source->'cuts', m.cuts))))`

/**
 * SQL of when a learner completed a module, by the threshold of now; `l` are the learners and `m` the modules. A learner
 * who was below an earlier threshold had seen enough at the last visit at the latest.
 */
export const COMPLETED_AT = `CASE WHEN m.id IS NULL THEN l.completed_at
  WHEN l.seen_seconds * 100 >= max(1, round(${SHOWN_S})) * m.completion_percent
  THEN coalesce(l.completed_at, l.last_at) END`

const LEARNERS = `
  SELECT l.learner_id AS learnerId, l.seen, l.seen_seconds AS seenSeconds, l.verified_seconds AS verifiedSeconds,
         l.position_s AS positionS, ${COMPLETED_AT} AS completedAtMs, l.first_at AS firstAtMs, l.last_at AS lastAtMs
  FROM learners AS l JOIN modules AS m ON m.id = l.module_id
  WHERE l.module_id = ?1 AND l.learner_id > ?2 ORDER BY l.learner_id LIMIT ?3`

/** Reads all learners of a module, some at a time. */
export function readLearners(d1: D1Database, moduleId: string): AsyncGenerator<ExportedLearner[]> {
  return readPages(AT_ONCE, async ({ after, limit }) => {
    type Row = Omit<ExportedLearner, 'seen'> & { seen: string }
    const rows = await listRows<Row>(d1, LEARNERS, moduleId, after?.learnerId ?? '', limit)
    return rows.map((row) => ({ ...row, seen: JSON.parse(row.seen) as TimeRanges }))
  })
}

/** Reads the learners of a page one by one, each with the sessions, in the order of the visits; some sessions at a time. */
export async function* readVisits(
  db: Db,
  moduleId: string,
  learners: readonly ExportedLearner[],
): AsyncGenerator<{ learner: ExportedLearner; sessions: ExportedSession[] }> {
  const pages = readSessionPages(db, moduleId, learners)
  let read: ExportedSession[] = []
  let isOver = false
  for (const learner of learners) {
    // All sessions of a learner are read once one of a later learner is.
    while (!isOver && (read.at(-1)?.learnerId ?? '') <= learner.learnerId) {
      const { value, done } = await pages.next()
      if (done === true) isOver = true
      else read = [...newestOf(read, learner), ...read.filter((each) => each.learnerId > learner.learnerId), ...value]
    }
    const own = newestOf(read, learner)
    read = read.filter(({ learnerId }) => learnerId > learner.learnerId)
    yield { learner, sessions: own.sort((a, b) => a.startedAt - b.startedAt) }
  }
}

/** Versions before this one kept sessions without a limit. */
function newestOf(sessions: readonly ExportedSession[], { learnerId }: ExportedLearner): ExportedSession[] {
  const own = sessions.filter((session) => session.learnerId === learnerId)
  return own.sort((a, b) => b.lastAt - a.lastAt).slice(0, SESSIONS_PER_LEARNER)
}

function readSessionPages(db: Db, moduleId: string, learners: readonly ExportedLearner[]) {
  const { moduleId: ofModule, learnerId, sessionId } = learningSessions
  const isOfPage = and(eq(ofModule, moduleId), lte(learnerId, learners.at(-1)?.learnerId ?? ''))
  return readPages<ExportedSession>(SESSIONS_AT_ONCE, ({ after, limit }) => {
    const from = after ?? { learnerId: learners[0]?.learnerId ?? '', sessionId: '' }
    const isLater = sql`(${learnerId}, ${sessionId}) > (${from.learnerId}, ${from.sessionId})`
    return db
      .select()
      .from(learningSessions)
      .where(and(isOfPage, isLater))
      .orderBy(asc(learnerId), asc(sessionId))
      .limit(limit)
  })
}
