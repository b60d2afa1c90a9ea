import { nanoid } from 'nanoid'
import { expect } from 'vitest'
import { LearningAnswer } from '#contract/learning.ts'
import { answerOf, call } from './api.ts'
import { plantModule } from './modules.ts'

export const LEARNING_PATH = '/api/learning-metrics'

/** A module of 100 seconds with two steps, and who owns it. */
export async function plantLessons(fields = {}) {
  const as = `user_${nanoid(8)}`
  const { id } = await plantModule({ userId: as, durationMs: 100_000, ...fields })
  const steps = [
    { id: 'first', title: 'First', description: 'Do the first thing.', start: 0, end: 40 },
    { id: 'second', title: 'Second', description: 'Do the second thing.', start: 40, end: 100 },
  ]
  const saved = await call(`/api/steps/${id}`, { as, json: { steps } })
  expect(saved.status).toBe(200)
  return { as, moduleId: id, steps }
}

/** A page that somebody has opened, and what it reports. */
export function openLearnerPage(moduleId: string, learnerId = nanoid()) {
  const sessionId = nanoid()
  let seq = 0
  return {
    learnerId,
    next: (segments: [number, number][], position = segments.at(-1)?.[1] ?? 0) => {
      seq += 1
      return { moduleId, learnerId, sessionId, seq, segments, position }
    },
  }
}

/** @param as null for somebody who has only the link */
export async function sendReport(json: unknown, as: string | null = null) {
  return (await answerOf(LearningAnswer, LEARNING_PATH, { as, json })).progress
}
