import { z } from 'zod'
import { REWRITE_MIN_CHARS } from './limits.ts'

/** Body of `POST /api/steps/{id}/rewrite`: a text of a step, and what to do with it. */
export const RewriteRequest = z.object({
  text: z.string().trim().min(REWRITE_MIN_CHARS).max(5_000),
  instruction: z.string().trim().max(500).default(''),
})
export type RewriteRequest = z.infer<typeof RewriteRequest>

/** The text as the language model would put it; nothing has been changed yet. */
export const RewriteAnswer = z.object({ success: z.literal(true), text: z.string() })
export type RewriteAnswer = z.infer<typeof RewriteAnswer>
