import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { VERSION_NOTE_MAX_CHARS } from './limits.ts'
import { Problem, Success } from './problem.ts'
import { Approval, AskedBy, Publishers, ReviewMonths, SeenComments, VersionCheck } from './review.ts'
import { AnswerTranslation, SharedFields, SharedTranslation } from './share.ts'
import { SharedStep, Step } from './step.ts'

/** SHA-256 of an object in canonical JSON (RFC 8785), in hexadecimal digits. It names a version. */
export const VersionHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits')
export type VersionHash = z.infer<typeof VersionHash>

/** What of a module belongs to a version: all that its link shows but what is true of it now. */
export const VersionFields = SharedFields.omit({
  id: true,
  createdAt: true,
  status: true,
  progress: true,
  message: true,
  hasVideo: true,
  uploadPercent: true,
  posterUrl: true,
  stepsVersion: true,
})

/** A trainer's answer that stands in print and in exports. */
export const PrintedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  text: z.string(),
  /** The step that it points at; null for none. */
  stepId: z.string().nullable(),
  /** A moment of the video in place of the start of the step, milliseconds; left out for none. */
  momentMs: z.number().int().optional(),
  /** Of what its steps said when it was given, or was confirmed. */
  stepsHash: z.string(),
  /** Milliseconds since 1970. */
  answeredAt: z.number().int(),
})
export type PrintedAnswer = z.infer<typeof PrintedAnswer>

/** The same in another language. */
export const TranslatedAnswer = PrintedAnswer.pick({ id: true, question: true, text: true }).extend({
  translation: AnswerTranslation,
})
export type TranslatedAnswer = z.infer<typeof TranslatedAnswer>

/** All that learners see of a training, or the hashes of it. */
export const VersionContent = z.object({
  format: z.literal('adapt-version-1'),
  module: VersionFields,
  /** BCP 47 tag of the narration, as its owner said; null where that is not known. */
  language: z.string().nullable(),
  /** Primary tag of that language, or of the one that its texts look like. */
  original: z.string().nullable(),
  /** As learners get them, with what a person has chosen to see in the image. */
  steps: z.array(Step),
  /** Teaching notes that the tutor may quote to learners. */
  notes: z.array(z.object({ stepId: z.string(), text: z.string() })),
  /** The newest first; left out where nothing was answered at all, and in versions of before these were part of them. */
  answers: z.array(PrintedAnswer).optional(),
  /** What of the video is left out. */
  cuts: CutRanges,
  video: z.object({ etag: z.string(), sizeBytes: z.number().int() }).nullable(),
  /** Names the transcript, of which captions are made; null where there was none. */
  captions: VersionHash.nullable(),
  /** Names the texts that the video shows, which the tutor quotes; null where there are none. */
  screen: VersionHash.nullable(),
  /** By the tag of the language. */
  translations: z.record(z.string(), z.object({ page: VersionHash, captions: VersionHash.nullable() })),
  /** ETag of each image that a step shows, by its name. */
  images: z.record(z.string(), z.string()),
})
export type VersionContent = z.infer<typeof VersionContent>

/** The texts of a version in another language. */
export const TranslatedPage = z.object({
  title: z.string(),
  steps: z.array(SharedStep),
  translation: SharedTranslation,
  /** Those of the version that are translated; left out where none is. */
  answers: z.array(TranslatedAnswer).optional(),
})
export type TranslatedPage = z.infer<typeof TranslatedPage>

/** Who is to be trained again because of a version: nobody, whoever did an earlier one on the changed steps, or on all of it. */
export const Retraining = z.enum(['none', 'changed', 'all'])
export type Retraining = z.infer<typeof Retraining>

/** A published version, without its content. */
export const Version = z.object({
  /** For people: 1, 2, … in each training. */
  number: z.number().int(),
  hash: VersionHash,
  /** What its publisher says of it. */
  note: z.string(),
  retraining: Retraining,
  /** ISO 8601, UTC. */
  publishedAt: z.string(),
  /** Whether the caller has published it. */
  isMine: z.boolean(),
  /** What its publisher has put their name to; null where the rules asked for none. */
  approval: Approval.nullable().default(null),
  /** When it was found still right, the newest first. */
  checks: z.array(VersionCheck).default([]),
  title: z.string(),
  stepCount: z.number().int(),
})
export type Version = z.infer<typeof Version>

/** A draft that somebody asks to be released, until it is. */
export const Review = z.object({
  /** Of the draft as it was then. */
  draft: VersionHash,
  note: z.string(),
  retraining: Retraining,
  /** Who asks, as they have written it. */
  name: z.string(),
  /** ISO 8601, UTC. */
  askedAt: z.string(),
  /** Whether the caller asks. */
  isMine: z.boolean(),
  /** Null while it is not answered. */
  sentBack: z.object({ name: z.string(), reason: z.string(), sentBackAt: z.string() }).nullable(),
})
export type Review = z.infer<typeof Review>

/** Answer of `GET`, `PUT` and `POST /api/versions/{id}`, and of its `review`. Owners only, as all of these calls. */
export const VersionsAnswer = Success.extend({
  /** Number of the version that learners see; {@link UNPUBLISHED} before the first; null while they see the draft. */
  published: z.number().int().nullable(),
  /** The newest first. */
  versions: z.array(Version),
  /** By the rules of the organization. */
  publishers: Publishers.default('anyone'),
  /** Whether the caller may publish, by them. */
  mayPublish: z.boolean().default(true),
  /** People of the organization who have done it, in whichever version. */
  trained: z.number().int().default(0),
  review: Review.nullable().default(null),
  reviewMonths: ReviewMonths.default(null),
  /** When the version that learners see is to be looked at again, ISO 8601, UTC; null where it is not. */
  reviewDueAt: z.string().nullable().default(null),
})
export type VersionsAnswer = z.infer<typeof VersionsAnswer>

/** Which content is read: `draft`, or the number of a version. */
export const VersionName = z.union([z.literal('draft'), z.coerce.number().int().min(1)])
export type VersionName = z.infer<typeof VersionName>

/** Answer of `GET /api/versions/{id}/{version}`. */
export const VersionAnswer = Success.extend({ hash: VersionHash, content: VersionContent })
export type VersionAnswer = z.infer<typeof VersionAnswer>

/** Body of `PUT /api/versions/{id}`: whether learners see published versions. Switching it on publishes what they see now. */
export const VersionsSwitch = z.strictObject({
  isOn: z.boolean(),
  /** Needed for switching it on where the organization has rules, as for each version. */
  approval: Approval.optional(),
})
export type VersionsSwitch = z.infer<typeof VersionsSwitch>

/** Body of `POST /api/versions/{id}`. */
export const PublishRequest = z.strictObject({
  /** Of the draft that the publisher saw. Another one is refused with {@link PublishConflict}. */
  draft: VersionHash,
  /** The version that learners saw then; {@link UNPUBLISHED} before the first. */
  published: z.number().int(),
  note: z.string().trim().max(VERSION_NOTE_MAX_CHARS),
  retraining: Retraining,
  /** On the draft; left out where they could not be read. */
  seenComments: SeenComments.optional(),
  /** Needed where the organization has rules. */
  approval: Approval.optional(),
})
export type PublishRequest = z.infer<typeof PublishRequest>

/** Body of `POST /api/versions/{id}/review`. */
export const ReviewRequest = PublishRequest.pick({ draft: true, note: true, retraining: true }).extend(AskedBy.shape)
export type ReviewRequest = z.infer<typeof ReviewRequest>

/** Body of the 409 that a stale publisher gets: nothing has been published, and this is the draft to compare with. */
export const PublishConflict = Problem.extend({
  code: z.literal('version_conflict'),
  hash: VersionHash,
  content: VersionContent,
  published: z.number().int().nullable(),
})
export type PublishConflict = z.infer<typeof PublishConflict>

/** Body of `POST /api/versions/{id}/{version}/restore`; answered with the steps of the draft. */
export const RestoreVersion = z.strictObject({
  /** Version of the steps that the caller saw; another one is refused, as in a save. */
  stepsVersion: z.number().int(),
})
export type RestoreVersion = z.infer<typeof RestoreVersion>
