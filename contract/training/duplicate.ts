import { z } from 'zod'
import { MODULE_TITLE_MAX_CHARS } from '../limits.ts'
import { Success } from '../problem.ts'

/** Body of `POST /api/modules/{id}/duplicate`. */
export const DuplicateRequest = z.strictObject({
  /** Of the new training, in the language of the person. */
  title: z.string().trim().min(1).max(MODULE_TITLE_MAX_CHARS),
})
export type DuplicateRequest = z.infer<typeof DuplicateRequest>

/** Answer of `POST /api/modules/{id}/duplicate`. */
export const DuplicateAnswer = Success.extend({ moduleId: z.string() })
export type DuplicateAnswer = z.infer<typeof DuplicateAnswer>
