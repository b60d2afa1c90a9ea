import { z } from 'zod'
import { ReadStatus } from './module.ts'

/** A step as anyone with the link sees it: no notes, quotes or aliases. Seconds. */
export const SharedStep = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  timestamp: z.number(),
  duration: z.number(),
})
export type SharedStep = z.infer<typeof SharedStep>

/** A module as anyone with the link sees it: nothing of its owner, and nothing of why it failed. */
export const SharedModule = z.object({
  id: z.string(),
  title: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  status: ReadStatus,
  progress: z.number().int(),
  message: z.string(),
  totalDuration: z.number().nullable(),
  /** Whether the whole video has arrived, so that it can be played, whatever the status. */
  hasVideo: z.boolean(),
  /** Percent of the video that has arrived. */
  uploadPercent: z.number().int().min(0).max(100),
  /** Path of a image that stands for the video, good while the module is shared; null while there is none. */
  posterUrl: z.string().nullable(),
  /** Path of the captions as WebVTT, good while the module is shared; null until the transcript is complete. */
  captionsUrl: z.string().nullable(),
  /** Grows by one with every change of the steps. */
  stepsVersion: z.number().int(),
  steps: z.array(SharedStep),
})
export type SharedModule = z.infer<typeof SharedModule>

/** Answer of `GET /api/share/{id}`, and of `GET /share/{id}` when JSON is asked for. */
export const ShareAnswer = z.object({ success: z.literal(true), module: SharedModule })
export type ShareAnswer = z.infer<typeof ShareAnswer>

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
