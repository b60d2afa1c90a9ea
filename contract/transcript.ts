import { z } from 'zod'

/** A sentence-like stretch of what was said. Times in seconds from the beginning of the video. */
export const TranscriptSegment = z.object({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Mean word confidence 0–1; null for captions and for recognisers that do not tell. */
  confidence: z.number().nullable(),
})
export type TranscriptSegment = z.infer<typeof TranscriptSegment>

/** Answer of `GET /api/transcript/{moduleId}`. `source` is null while nothing has been heard yet. */
export const TranscriptAnswer = z.object({
  success: z.literal(true),
  source: z.enum(['captions', 'speech']).nullable(),
  language: z.string().nullable(),
  segments: z.array(TranscriptSegment),
})
export type TranscriptAnswer = z.infer<typeof TranscriptAnswer>

/** Content types that `PUT /api/captions/{moduleId}` takes. */
export const CAPTION_TYPES = ['text/vtt', 'application/x-subrip'] as const
export type CaptionType = (typeof CAPTION_TYPES)[number]

/** Answer of `PUT /api/captions/{moduleId}`. */
export const CaptionsAnswer = z.object({ success: z.literal(true), cues: z.number().int() })
export type CaptionsAnswer = z.infer<typeof CaptionsAnswer>
