import { z } from 'zod'

/**
 * Body of `POST /api/reprocess/{id}`; all of it is optional, and so is the body. The language and glossary of the
 * transcription are the module's own (`ModulePatch`).
 * Repeating the request while its run is active returns the same run.
 */
export const ReprocessRequest = z.strictObject({
  /** `failed`: resume where the last run broke off (default). `start`: transcribe the whole video again. */
  from: z.enum(['failed', 'start']).optional(),
})
export type ReprocessRequest = z.infer<typeof ReprocessRequest>

/** Answer of `POST /api/reprocess/{id}`. */
export const ReprocessAnswer = z.object({
  success: z.literal(true),
  moduleId: z.string(),
  /** Number of the active run. */
  run: z.number().int(),
})
export type ReprocessAnswer = z.infer<typeof ReprocessAnswer>
