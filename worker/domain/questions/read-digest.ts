import type { DigestQuestion } from '#contract/feedback/questions.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { IGNORED } from '#worker/db/learner-tables.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import { groupQuestions } from '#worker/domain/tutor/group-questions.ts'
import type { Caller } from '#worker/ports/identity.ts'

const DIGEST_DAYS = 7
/** Questions that are shown; a trainer looks at a digest, and works in the list of a training. */
const DIGEST_MAX = 8
/** The newest trainings and questions that are read, so that a digest costs the same however many there are. */
const DIGEST_MODULES_MAX = 500
const DIGEST_READ_MAX = 1_000

interface DigestRow {
  id: string
  moduleId: string
  title: string
  userId: string
  text: string
  askedAtMs: number
  isAnswered: number
}

const MODULES = (column: string) => `
  WITH own AS (SELECT id, title, user_id FROM modules WHERE ${column} = ?1 AND received_at IS NOT NULL
    ORDER BY created_at DESC LIMIT ${DIGEST_MODULES_MAX})`
const COLUMNS =
  'q.id, own.id AS moduleId, own.title, q.user_id AS userId, q.question AS text, q.created_at AS askedAtMs'
/** By the index of open questions, which has the time behind the module. */
const OPEN = `SELECT ${COLUMNS}, 0 AS isAnswered FROM own JOIN questions AS q ON q.module_id = own.id
  WHERE q.settled_at IS NULL AND q.created_at > ?2 AND coalesce(q.answered_by, '') NOT IN ('steps', '${IGNORED}')
    AND (q.asked_at IS NOT NULL OR q.is_covered = 0) AND q.user_id NOT IN (?3, own.user_id)
  ORDER BY q.created_at DESC LIMIT ${DIGEST_READ_MAX}`
/** An answer stands for the people who wait for it no longer. */
const ANSWERED = `SELECT a.id, own.id AS moduleId, own.title, '' AS userId, a.question AS text, a.answered_at AS askedAtMs,
    1 AS isAnswered FROM own JOIN trainer_answers AS a ON a.module_id = own.id
  WHERE a.answered_at > ?2 ORDER BY a.answered_at DESC LIMIT ${DIGEST_MAX}`

/** Reads what learners of all the caller's trainings asked in a week that no video covers. */
export async function readDigest(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  caller: Caller,
): Promise<DigestQuestion[]> {
  const { column, id } = listOwnerOf(caller)
  const sinceMs = nowMs() - DIGEST_DAYS * DAY_MS
  const [open, answered] = await Promise.all([
    listRows<DigestRow>(d1, MODULES(column) + OPEN, id, sinceMs, caller.userId),
    listRows<DigestRow>(d1, MODULES(column) + ANSWERED, id, sinceMs),
  ])
  const waiting = [...Map.groupBy(open, ({ moduleId }) => moduleId).values()].flatMap((rows) => {
    const groups = groupQuestions(rows.map((row) => ({ ...row, place: null, timeS: null })))
    return groups.map(({ text, questions: [first, ...others] }): DigestQuestion => {
      const { moduleId, title, userId } = first as DigestRow
      const people = new Set([userId, ...others.map((each) => each.userId)]).size
      return { moduleId, title, text, people, isAnswered: false }
    })
  })
  const done = answered.map(({ moduleId, title, text }) => ({ moduleId, title, text, people: 0, isAnswered: true }))
  return [...waiting.toSorted((left, right) => right.people - left.people), ...done].slice(0, DIGEST_MAX)
}
