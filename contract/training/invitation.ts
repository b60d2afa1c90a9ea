import { z } from 'zod'
import { Module } from '../module.ts'
import { Success } from '../problem.ts'
import { PersonNameText } from '../team/people.ts'

/** An invitation to edit one training, without being of an organization. */
export const Invitation = z.object({
  id: z.string(),
  /** Whom it is for, as an owner has written it. */
  name: z.string(),
  /** Until when it can be accepted; ISO 8601, UTC. */
  expiresAt: z.string(),
  /** The account that has accepted it, as its browser names it; null while none has. */
  accepted: z.object({ name: z.string(), acceptedAt: z.string() }).nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** Answer of `GET /api/invitations/{id}`, and of calls that change one: of one training, the latest first. */
export const InvitationsAnswer = Success.extend({ invitations: z.array(Invitation) })
export type InvitationsAnswer = z.infer<typeof InvitationsAnswer>

/** Body of `POST /api/invitations/{id}`. */
export const NewInvitation = z.strictObject({ name: PersonNameText })
export type NewInvitation = z.infer<typeof NewInvitation>

/** Answer of `POST /api/invitations/{id}`. */
export const NewInvitationAnswer = InvitationsAnswer.extend({
  /** Path with the secret behind `#`. It is shown this once: only its hash is kept. */
  path: z.string(),
})
export type NewInvitationAnswer = z.infer<typeof NewInvitationAnswer>

/** Body of `POST /api/invitations/accept`. */
export const AcceptInvitation = z.strictObject({
  /** What stands behind `#` in the address of the invitation. */
  key: z.string().min(1).max(100),
  /** What the account is called. */
  name: PersonNameText,
})
export type AcceptInvitation = z.infer<typeof AcceptInvitation>

/** Answer of `POST /api/invitations/accept`: what can be edited now. */
export const AcceptInvitationAnswer = Success.extend(Module.pick({ trainingUrl: true }).shape)
export type AcceptInvitationAnswer = z.infer<typeof AcceptInvitationAnswer>
