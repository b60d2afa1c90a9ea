import { z } from 'zod'
import { GLOSSARY_MAX_CHARS } from './limits.ts'

/**
 * Body of `POST /api/reprocess/{id}`; all of it is optional, and so is the body.
 * The same request again, while its run is at work, is the same run.
 */
export const ReprocessRequest = z.strictObject({
  /** `failed`: go on from where the last run broke off (default). `start`: listen to the whole video again. */
  from: z.enum(['failed', 'start']).optional(),
  /** ISO 639-1 of the narration; null lets the recogniser decide. Left out: as it is. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'must be a language code such as "en"')
    .nullable()
    .optional(),
  /** Names and product words to expect; null or empty for none. Left out: as they are. */
  glossary: z.string().trim().max(GLOSSARY_MAX_CHARS).nullable().optional(),
})
export type ReprocessRequest = z.infer<typeof ReprocessRequest>

/** Answer of `POST /api/reprocess/{id}`. */
export const ReprocessAnswer = z.object({
  success: z.literal(true),
  moduleId: z.string(),
  /** Number of the run that is at work now. */
  run: z.number().int(),
})
export type ReprocessAnswer = z.infer<typeof ReprocessAnswer>
