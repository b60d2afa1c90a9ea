import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { LINK_PASSWORD_MAX_CHARS } from './limits.ts'
import { AudioTrack, Language, Module } from './module.ts'
import { Success } from './problem.ts'
import { SmallCopy } from './small-copy.ts'
import { SharedStep } from './step.ts'

/** The fields of a {@link Module} that anyone with the link sees. Parsing with it drops all others. */
export const SharedFields = Module.pick({
  id: true,
  title: true,
  createdAt: true,
  status: true,
  progress: true,
  message: true,
  totalDuration: true,
  hasVideo: true,
  uploadPercent: true,
  videoCodec: true,
  posterUrl: true,
  stepsVersion: true,
  takesReports: true,
})

/** What a person is to know of a translation that they read. */
export const SharedTranslation = z.object({
  language: Language,
  /** Whether a person has approved all that is shown. */
  isApproved: z.boolean(),
  /** What translated the rest; null where a person has approved all. */
  engine: z.string().nullable(),
  /** Whether that is an engine whose sentences are rough. */
  isRough: z.boolean(),
  /** How many steps are in the original, because they are not translated yet or did not pass the check. */
  missing: z.number().int(),
})
export type SharedTranslation = z.infer<typeof SharedTranslation>

/** In which language an answer of the trainer is read that was translated, and by whom. */
export const AnswerTranslation = SharedTranslation.omit({ missing: true })
export type AnswerTranslation = z.infer<typeof AnswerTranslation>

/** A module as anyone with the link sees it: nothing of its owner, and nothing of why it failed. Paths are good while it is shared. */
export const SharedModule = SharedFields.extend({
  /** Path of the captions as WebVTT; null until the transcript is complete. */
  captionsUrl: z.string().nullable(),
  /** BCP 47 tag of the texts: of the translation, or of the narration; null where its owner has not said it. */
  language: z.string().nullable(),
  /** Primary tag of the language of the narration, as its owner said or as its texts look; null where that is not known. */
  original: z.string().nullable(),
  /** Other languages in which it can be read (`?lang=`). */
  languages: z.array(Language),
  /** Null for the original. */
  translation: SharedTranslation.nullable(),
  steps: z.array(SharedStep),
  /** Empty where there are fewer than two. */
  audioTracks: z.array(AudioTrack).default([]),
  /** Whether people with the link can ask the tutor (`POST /api/share/{id}/questions`). */
  hasTutor: z.boolean(),
  /** What of the video is left out, seconds. */
  cuts: CutRanges.default([]),
  /** What plays on slow lines; null while there is none. */
  smallCopy: SmallCopy.nullable().default(null),
  /** There where only this link leads to it: a person who signs in cannot open its training page by the same id. */
  isByLinkOnly: z.literal(true).optional(),
})
export type SharedModule = z.infer<typeof SharedModule>

/** Answer of `GET /api/share/{id}`, and of `GET /share/{id}` when JSON is asked for. */
export const ShareAnswer = Success.extend({ module: SharedModule })
export type ShareAnswer = z.infer<typeof ShareAnswer>

/** Body of `POST /api/share/{id}/unlock`; the answer sets a cookie that opens the link. */
export const UnlockRequest = z.strictObject({ password: z.string().trim().max(LINK_PASSWORD_MAX_CHARS) })
export type UnlockRequest = z.infer<typeof UnlockRequest>

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
