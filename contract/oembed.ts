import { z } from 'zod'

/** Query of `GET /api/oembed` (oembed.com §2.2). */
export const OembedRequest = z.object({
  url: z.string(),
  format: z.string().default('json'),
  maxwidth: z.coerce.number().int().positive().optional(),
  maxheight: z.coerce.number().int().positive().optional(),
})
export type OembedRequest = z.infer<typeof OembedRequest>

/** What other sites need to show a shared module in a frame (oembed.com §2.3.4.2). Pixels. */
export const OembedAnswer = z.object({
  version: z.literal('1.0'),
  type: z.literal('video'),
  title: z.string(),
  provider_name: z.literal('Adapt'),
  provider_url: z.string(),
  /** Seconds for which the asker may keep this. */
  cache_age: z.number().int(),
  html: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.number().int().optional(),
  thumbnail_height: z.number().int().optional(),
})
export type OembedAnswer = z.infer<typeof OembedAnswer>
