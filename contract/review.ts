import { z } from 'zod'
import { PERSON_NAME_MAX_CHARS, REVIEW_MONTHS_MAX, VERSION_NOTE_MAX_CHARS } from './limits.ts'
import { Success } from './problem.ts'
import { StepId } from './step.ts'

/**
 * Who may publish versions of an organization's trainings: every owner; the uploader and those who manage its modules;
 * approvers, who have the role admin or the permission `org:versions:approve`; or every owner but the last editor.
 */
export const Publishers = z.enum(['anyone', 'owner', 'approvers', 'four_eyes'])
export type Publishers = z.infer<typeof Publishers>

/** What a name under a version says: that it was looked at, that it is released, or who answers for it. */
export const ApprovalMeaning = z.enum(['reviewed', 'approved', 'responsible'])
export type ApprovalMeaning = z.infer<typeof ApprovalMeaning>

const PersonName = z.string().trim().min(1).max(PERSON_NAME_MAX_CHARS)

/** What a person says of a version in releasing it. It stays with the version. */
export const Approval = z.strictObject({
  /** As the person writes it; empty once their account was erased. */
  name: z.string().trim().max(PERSON_NAME_MAX_CHARS),
  meaning: ApprovalMeaning,
  words: z.string().trim().max(VERSION_NOTE_MAX_CHARS),
})
export type Approval = z.infer<typeof Approval>

/** Body of `PUT /api/versions/{id}/review`, which sends the draft back to whoever asked. */
export const SendBack = z.strictObject({
  name: PersonName,
  reason: z.string().trim().min(1).max(VERSION_NOTE_MAX_CHARS),
})
export type SendBack = z.infer<typeof SendBack>

/** What belongs to asking for a release, besides what is to be published. */
export const AskedBy = z.strictObject({ name: PersonName })

/** What an owner says of a step in a review. */
export const ReviewComment = z.object({
  id: z.string(),
  /** As they have written it; empty once their account was erased. */
  name: z.string(),
  text: z.string(),
  /** ISO 8601, UTC. */
  saidAt: z.string(),
  isMine: z.boolean(),
})
export type ReviewComment = z.infer<typeof ReviewComment>

/** What owners say of one step, the oldest first. */
export const ReviewThread = z.object({
  /** Of a step that may be gone. */
  stepId: z.string(),
  /** A new comment opens it again. */
  isResolved: z.boolean(),
  comments: z.array(ReviewComment),
})
export type ReviewThread = z.infer<typeof ReviewThread>

/** Answer of `GET /api/versions/{id}/{version}/comments`, and of the calls that change those of the draft. */
export const ThreadsAnswer = Success.extend({ threads: z.array(ReviewThread) })
export type ThreadsAnswer = z.infer<typeof ThreadsAnswer>

/** Body of `POST /api/versions/{id}/comments`: says something of a step of the draft. */
export const NewComment = z.strictObject({
  stepId: StepId,
  name: PersonName,
  text: z.string().trim().min(1).max(VERSION_NOTE_MAX_CHARS),
})
export type NewComment = z.infer<typeof NewComment>

/** How many comments a reader has seen. Where there are others by now, a decision about them is refused. */
export const SeenComments = z.number().int().min(0)

/** Body of `PUT /api/versions/{id}/comments`: settles what was said of a step of the draft, or opens it again. */
export const ThreadState = z.strictObject({
  stepId: StepId,
  isResolved: z.boolean(),
  /** Of this step. */
  seenComments: SeenComments,
})
export type ThreadState = z.infer<typeof ThreadState>

/** That a published version was looked at again, and is still right. */
export const VersionCheck = z.object({
  /** As the person has written it; empty once their account was erased. */
  name: z.string(),
  /** ISO 8601, UTC. */
  checkedAt: z.string(),
})
export type VersionCheck = z.infer<typeof VersionCheck>

/** Body of `POST /api/versions/{id}/checks`. */
export const NewCheck = z.strictObject({
  /** The version that was looked at, which learners see. */
  published: z.number().int().min(1),
  name: PersonName,
})
export type NewCheck = z.infer<typeof NewCheck>

/** How often a training is to be looked at again, months; null: never. */
export const ReviewMonths = z.number().int().min(1).max(REVIEW_MONTHS_MAX).nullable()

/** Body of `PUT /api/versions/{id}/schedule`. */
export const ReviewSchedule = z.strictObject({ months: ReviewMonths })
export type ReviewSchedule = z.infer<typeof ReviewSchedule>

/** A training whose published version is to be looked at again. */
export const DueReview = z.object({
  id: z.string(),
  title: z.string(),
  /** Number of that version. */
  published: z.number().int(),
  /** Since when, ISO 8601, UTC. */
  dueAt: z.string(),
  /** Whether the caller may say that it is still right. */
  mayPublish: z.boolean(),
})
export type DueReview = z.infer<typeof DueReview>

/** Answer of `GET /api/versions/due`: those of the caller's list, the most overdue first. */
export const DueReviewsAnswer = Success.extend({ trainings: z.array(DueReview) })
export type DueReviewsAnswer = z.infer<typeof DueReviewsAnswer>

/** What an organization wants of all its trainings. */
export const PublishingRules = z.object({
  /** Who may publish in it. */
  publishers: Publishers,
  /** Whether its new trainings publish versions: only owners see one before its first. */
  publishesVersions: z.boolean(),
})
export type PublishingRules = z.infer<typeof PublishingRules>

/** Body of `PUT /api/account/publishers`: what is to change of the rules of the active organization. */
export const PublishersEdit = PublishingRules.partial()
export type PublishersEdit = z.infer<typeof PublishersEdit>

/** Answer of `GET /api/account/publishers`. */
export const PublishersAnswer = Success.extend({
  ...PublishingRules.shape,
  /** Whether the caller may change them: those who manage the organization's modules. */
  mayChange: z.boolean(),
})
export type PublishersAnswer = z.infer<typeof PublishersAnswer>
