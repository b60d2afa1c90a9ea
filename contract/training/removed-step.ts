import { z } from 'zod'
import { Success } from '../problem.ts'

/** A step that a person has removed and that can be restored. Times in seconds. */
export const RemovedStep = z.object({
  id: z.string(),
  title: z.string(),
  start: z.number(),
  /** ISO 8601, UTC. */
  removedAt: z.string(),
})
export type RemovedStep = z.infer<typeof RemovedStep>

/** Answer of `GET /api/steps/{id}/removed`: the last removed first. */
export const RemovedStepsAnswer = Success.extend({ steps: z.array(RemovedStep) })
export type RemovedStepsAnswer = z.infer<typeof RemovedStepsAnswer>
