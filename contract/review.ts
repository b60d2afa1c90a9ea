import { z } from 'zod'
import { PERSON_NAME_MAX_CHARS, VERSION_NOTE_MAX_CHARS } from './limits.ts'
import { Success } from './problem.ts'

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

/** Who may publish in the active organization. Body of `PUT /api/account/publishers`. */
export const PublishersEdit = z.object({ publishers: Publishers })

/** Answer of `GET /api/account/publishers`. */
export const PublishersAnswer = Success.extend({
  publishers: Publishers,
  /** Whether the caller may change it: those who manage the organization's modules. */
  mayChange: z.boolean(),
})
export type PublishersAnswer = z.infer<typeof PublishersAnswer>
