import { z } from 'zod'
import { REWRITE_INSTRUCTION_MAX_CHARS, REWRITE_MAX_CHARS, REWRITE_MIN_CHARS } from './limits.ts'

/** Body of `POST /api/steps/{id}/rewrite`. Owners only. */
export const RewriteRequest = z.object({
  text: z
    .string()
    .trim()
    .min(REWRITE_MIN_CHARS, `must have at least ${REWRITE_MIN_CHARS} characters`)
    .max(REWRITE_MAX_CHARS),
  /** What to do with the text. Left out or empty: fillers are removed and grammar is corrected, nothing is added. */
  instruction: z.string().trim().max(REWRITE_INSTRUCTION_MAX_CHARS).optional(),
})
export type RewriteRequest = z.infer<typeof RewriteRequest>

/** Answer of `POST /api/steps/{id}/rewrite`. `text` says nothing that the request's text does not say. */
export const RewriteAnswer = z.object({ success: z.literal(true), text: z.string() })
export type RewriteAnswer = z.infer<typeof RewriteAnswer>
