import { z } from 'zod'
import { FILENAME_MAX_CHARS } from './limits.ts'

/** Body of `POST /api/presigned-upload/presigned-url`. */
export const PresignRequest = z.object({
  filename: z.string().trim().min(1).max(FILENAME_MAX_CHARS),
  /** A `video/*` type, with or without parameters; it is signed as it stands, so the PUT must repeat it to the letter. */
  contentType: z.string().max(100),
  /** Declared size; checked against the limit before a byte is sent. */
  sizeBytes: z.number().int().min(0).optional(),
})
export type PresignRequest = z.infer<typeof PresignRequest>

/** `uploadUrl` takes one plain PUT of the file with its content type, for 15 minutes. */
export const PresignAnswer = z.object({
  success: z.literal(true),
  uploadUrl: z.string().min(1),
  key: z.string().min(1),
  moduleId: z.string().min(1),
})
export type PresignAnswer = z.infer<typeof PresignAnswer>

/** Body of `POST /api/upload/complete`. */
export const CompleteRequest = z.object({ moduleId: z.string().min(1).max(64), key: z.string().min(1).max(1024) })
export type CompleteRequest = z.infer<typeof CompleteRequest>

/** The same for the first call and for every repetition. */
export const CompleteAnswer = z.object({ success: z.literal(true), moduleId: z.string(), trainingUrl: z.string() })
export type CompleteAnswer = z.infer<typeof CompleteAnswer>
