import { z } from 'zod'

/** What an export holds, in the order in which its parts do. */
export const EXPORT_STEPS = ['records', 'people', 'versions', 'photos'] as const
/** One of what an export holds. */
export type ExportStep = (typeof EXPORT_STEPS)[number]

const Seq = z.coerce.number().int().min(1)

/** Which part of an export is asked for: without any of it the first, then with what `part.json` of the one before says. */
export const ExportRequest = z.strictObject({
  part: z.coerce.number().int().min(1).default(1),
  /** Numbers of the first and the last record of all parts. The first part has the oldest that is kept and the newest. */
  from: Seq.optional(),
  end: Seq.optional(),
  step: z.enum(EXPORT_STEPS).default('records'),
  /** What of the step the part before it has had last; empty where the step begins. */
  after: z
    .string()
    .max(200)
    .regex(/^[\w/-]*$/)
    .default(''),
})
export type ExportRequest = z.infer<typeof ExportRequest>
