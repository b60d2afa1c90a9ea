import { z } from 'zod'

/**
 * Body of `POST /api/reprocess/{id}`; all of it is optional, and so is the body. How the sound is to be heard is the
 * module's own (`ModulePatch`).
 * The same request again, while its run is at work, is the same run.
 */
export const ReprocessRequest = z.strictObject({
  /** `failed`: go on from where the last run broke off (default). `start`: listen to the whole video again. */
  from: z.enum(['failed', 'start']).optional(),
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
