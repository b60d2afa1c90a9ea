import type { TimeRanges } from '#contract/time-ranges.ts'
import type { Context } from '#worker/context.ts'
import { currentSecret } from '#worker/domain/signed-payload.ts'
import { SESSIONS_PER_LEARNER } from './learning-limits.ts'

/** Names a learner for one module: the same each time, of no use to find the account or the learner elsewhere. */
export type Pseudonymise = (...what: string[]) => Promise<string>

/** This many of a pseudonym's 32 bytes are shown, so that a million pseudonyms do not collide. */
const BYTES = 16

/** @param secrets known to this server alone, so that an id cannot be found by hashing every id */
export async function openPseudonyms(secrets: string, moduleId: string): Promise<Pseudonymise> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(`learner:${currentSecret(secrets)}`),
    algorithm,
    false,
    ['sign'],
  )
  return async (...what) => {
    const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(JSON.stringify([moduleId, ...what])))
    return Array.from(new Uint8Array(signed).subarray(0, BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

/** The same as an UUID of RFC 9562's version 8, as ids of statements have to be. */
export function toUuid(pseudonym: string): string {
  const version = `8${pseudonym.slice(13, 16)}`
  const variant = `8${pseudonym.slice(17, 20)}`
  return [pseudonym.slice(0, 8), pseudonym.slice(8, 12), version, variant, pseudonym.slice(20, 32)].join('-')
}

/** Learners that are named at once; only their ids are read. */
const IDS_AT_ONCE = 5_000
const IDS = `SELECT learner_id AS learnerId FROM learners WHERE module_id = ?1 AND learner_id > ?2
  ORDER BY learner_id LIMIT ${IDS_AT_ONCE}`

/** Finds the learner of a module whom downloads give this name; null when there is none. */
export async function findLearnerId(
  { d1, secrets }: Pick<Context, 'd1' | 'secrets'>,
  moduleId: string,
  pseudonym: string,
): Promise<string | null> {
  const pseudonymise = await openPseudonyms(secrets, moduleId)
  for (let last = ''; ; ) {
    const { results } = await d1.prepare(IDS).bind(moduleId, last).all<{ learnerId: string }>()
    const names = await Promise.all(results.map(({ learnerId }) => pseudonymise(learnerId)))
    const found = results[names.indexOf(pseudonym)]
    if (found !== undefined) return found.learnerId
    const end = results.at(-1)
    if (end === undefined || results.length < IDS_AT_ONCE) return null
    last = end.learnerId
  }
}

/** A learner as exports show them. */
export interface ExportedLearner {
  /** As stored; never to be shown. */
  learnerId: string
  seen: TimeRanges
  seenSeconds: number
  /** Seconds of them that were reported no faster than they can be played. */
  verifiedSeconds: number
  positionS: number
  /** When the learner had seen as much as completes the module now; null where that is not so. */
  completedAtMs: number | null
  firstAtMs: number
  lastAtMs: number
}

/** One opened page of a learner. */
export interface ExportedSession {
  learnerId: string
  sessionId: string
  /** As the xAPI video profile writes played segments. */
  played: string
  positionS: number
  /** Whether more was reported than the clock allows. */
  isSelfReported: boolean
  startedAtMs: number
  lastAtMs: number
}

/** Learners that are read at once: of a hundred thousand a request asks a hundred times. */
const AT_ONCE = 1_000
/** Sessions that are read at once: a kilobyte each at most. */
const SESSIONS_AT_ONCE = 500

/**
 * SQL of when a learner completed a module, by the threshold of now; `l` are the learners and `m` the modules. A learner
 * who was below an earlier threshold had seen enough at the last visit at the latest.
 */
export const COMPLETED_AT = `CASE WHEN m.id IS NULL THEN l.completed_at
  WHEN l.seen_seconds * 100 >= max(1, round(coalesce(m.duration_ms, 0) / 1000.0)) * m.completion_percent
  THEN coalesce(l.completed_at, l.last_at) END`

const LEARNERS = `
  SELECT l.learner_id AS learnerId, l.seen, l.seen_seconds AS seenSeconds, l.verified_seconds AS verifiedSeconds,
         l.position_s AS positionS, ${COMPLETED_AT} AS completedAtMs, l.first_at AS firstAtMs, l.last_at AS lastAtMs
  FROM learners AS l JOIN modules AS m ON m.id = l.module_id
  WHERE l.module_id = ?1 AND l.learner_id > ?2 ORDER BY l.learner_id LIMIT ${AT_ONCE}`
const SESSIONS = `
  SELECT learner_id AS learnerId, session_id AS sessionId, played, position_s AS positionS,
         is_self_reported AS isSelfReported, started_at AS startedAtMs, last_at AS lastAtMs
  FROM learning_sessions WHERE module_id = ?1 AND learner_id <= ?4 AND (learner_id, session_id) > (?2, ?3)
  ORDER BY learner_id, session_id LIMIT ${SESSIONS_AT_ONCE}`

/** Reads all learners of a module, some at a time. */
export async function* readLearners(d1: D1Database, moduleId: string): AsyncGenerator<ExportedLearner[]> {
  for (let last = ''; ; ) {
    const rows = await d1.prepare(LEARNERS).bind(moduleId, last).all<Omit<ExportedLearner, 'seen'> & { seen: string }>()
    const learners = rows.results.map((row) => ({ ...row, seen: JSON.parse(row.seen) as TimeRanges }))
    const end = learners.at(-1)
    if (end === undefined) return
    yield learners
    if (learners.length < AT_ONCE) return
    last = end.learnerId
  }
}

/** Reads the learners of a page one by one, each with the sessions, in the order of the visits; some sessions at a time. */
export async function* readVisits(
  d1: D1Database,
  moduleId: string,
  learners: readonly ExportedLearner[],
): AsyncGenerator<{ learner: ExportedLearner; sessions: ExportedSession[] }> {
  const pages = readSessionPages(d1, moduleId, learners)
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
    yield { learner, sessions: own.sort((a, b) => a.startedAtMs - b.startedAtMs) }
  }
}

/** Versions before this one kept sessions without a limit. */
function newestOf(sessions: readonly ExportedSession[], { learnerId }: ExportedLearner): ExportedSession[] {
  const own = sessions.filter((session) => session.learnerId === learnerId)
  return own.sort((a, b) => b.lastAtMs - a.lastAtMs).slice(0, SESSIONS_PER_LEARNER)
}

async function* readSessionPages(
  d1: D1Database,
  moduleId: string,
  learners: readonly ExportedLearner[],
): AsyncGenerator<ExportedSession[]> {
  const end = learners.at(-1)?.learnerId ?? ''
  let after: Pick<ExportedSession, 'learnerId' | 'sessionId'> = {
    learnerId: learners[0]?.learnerId ?? '',
    sessionId: '',
  }
  for (;;) {
    const page = d1.prepare(SESSIONS).bind(moduleId, after.learnerId, after.sessionId, end)
    const { results } = await page.all<Omit<ExportedSession, 'isSelfReported'> & { isSelfReported: number }>()
    const last = results.at(-1)
    if (last === undefined) return
    yield results.map((row) => ({ ...row, isSelfReported: row.isSelfReported === 1 }))
    if (results.length < SESSIONS_AT_ONCE) return
    after = last
  }
}
