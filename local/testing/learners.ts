import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect } from 'vitest'
import { LearningAnswer } from '#contract/learning.ts'
import { accountLearnerId, signSession, signVisitorToken } from '#worker/domain/learning/learner-token.ts'
import { answerOf, call } from './api.ts'
import { seedModule } from './modules.ts'

export const LEARNING_PATH = '/api/learning-metrics'

/** So long ago that whatever a test reports could have been played since. */
const OPENED_AGO_MS = 60 * 60_000

/** A module of 100 seconds with two steps, and who owns it. */
export async function seedLessons(fields = {}) {
  const as = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId: as, durationMs: 100_000, ...fields })
  const steps = [
    { id: 'first', title: 'First', description: 'Do the first thing.', start: 0, end: 40 },
    { id: 'second', title: 'Second', description: 'Do the second thing.', start: 40, end: 100 },
  ]
  const saved = await call(`/api/steps/${id}`, { as, json: { steps } })
  expect(saved.status).toBe(200)
  return { as, moduleId: id, steps }
}

/** Saves so many steps of so many seconds, one after the other, in place of those that a module has. */
export async function saveManySteps(
  { as, moduleId }: { as: string; moduleId: string },
  count: number,
  lengthS: number,
) {
  const steps = Array.from({ length: count }, (_, at) => {
    const start = at * lengthS
    return { id: `step-${at}`, title: `Step ${at}`, description: 'Do this thing.', start, end: start + lengthS }
  })
  const saved = await call(`/api/steps/${moduleId}`, { as, json: { steps } })
  expect(saved.status).toBe(200)
}

/**
 * A page that a learner has opened, and what it reports.
 * @param of the account, or a learner without one; a new one where it says neither
 */
export async function openLearnerPage(
  moduleId: string,
  of: { as?: string; learnerId?: string; startedAtMs?: number } = {},
) {
  const { startedAtMs = Date.now() - OPENED_AGO_MS } = of
  const learnerId = of.as === undefined ? (of.learnerId ?? `anyone:${nanoid()}`) : accountLearnerId(of.as)
  const session = await signSession(env.TICKET_SECRET, { moduleId, learnerId, sessionId: nanoid(), startedAtMs })
  let seq = 0
  return {
    learnerId,
    /** With which the learner's next page begins. */
    learner: await signVisitorToken(env.TICKET_SECRET, { learnerId, moduleId }),
    session,
    next: (segments: [number, number][], position = segments.at(-1)?.[1] ?? 0) => {
      seq += 1
      return { moduleId, session, seq, segments, position }
    },
  }
}

/** @param as null for a person who has only the link */
export async function sendReport(json: unknown, as: string | null = null) {
  return (await answerOf(LearningAnswer, LEARNING_PATH, { as, json })).progress
}
