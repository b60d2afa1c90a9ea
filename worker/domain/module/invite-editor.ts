import { INVITATION_DAYS, INVITATIONS_MAX } from '#contract/limits.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { AcceptInvitation, Invitation, InvitationsAnswer } from '#contract/training/invitation.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { hashSecret, makeSecret } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isOwner } from './get-module.ts'
import {
  acceptRow,
  findOfLink,
  type InvitationRow,
  insertInvitation,
  isInvited,
  listInvitations,
} from './invitation-store.ts'
import { findModule } from './module-store.ts'

type InviteContext = Pick<Context, 'db' | 'nowMs'>

const VALID_MS = INVITATION_DAYS * DAY_MS
const INVITATION_PAGE = '/invitation'

/** Reads who was invited to edit a module, for its owners. */
export async function readInvitations({ db }: Pick<Context, 'db'>, moduleId: string): Promise<InvitationsAnswer> {
  return { success: true, invitations: (await listInvitations(db, moduleId)).map(presentInvitation) }
}

function presentInvitation({ id, name, expiresAt, userName, acceptedAt }: InvitationRow): Invitation {
  const accepted = acceptedAt === null ? null : { name: userName ?? '', acceptedAt: toIso(acceptedAt) }
  return { id, name, expiresAt: toIso(expiresAt), accepted }
}

/**
 * Invites somebody to edit a module.
 * @returns the path of the link, which is known this once
 * @throws {AppError} invalid_request where too many are invited
 */
export async function inviteEditor({ db, nowMs }: InviteContext, moduleId: string, name: string): Promise<string> {
  const secret = makeSecret()
  const createdAt = nowMs()
  const linkHash = await hashSecret(secret)
  if (await insertInvitation(db, { moduleId, name, linkHash, createdAt, expiresAt: createdAt + VALID_MS }))
    return `${INVITATION_PAGE}#${secret}`
  throw new AppError('invalid_request', `A training has at most ${INVITATIONS_MAX} invitations. Remove one first.`)
}

/**
 * Lets the caller edit what they were invited to. Doing it again changes nothing, and an owner who follows the link does
 * not use it up.
 * @returns the id of the module
 * @throws {AppError} not_found for a link that was used, removed or has ended
 */
export async function acceptInvitation(
  { db, nowMs }: InviteContext,
  { caller, key, name: userName }: AcceptInvitation & { caller: Caller },
): Promise<string> {
  const { userId } = caller
  const row = await findOfLink(db, { linkHash: await hashSecret(key), userId, nowMs: nowMs() })
  const module = row === null ? null : await findModule(db, row.moduleId)
  if (row === null || module === null) throw refused()
  if (isOwner(caller, module)) return module.id
  await acceptRow(db, { id: row.id, userId, userName, nowMs: nowMs() })
  if (await isInvited(db, module.id, userId)) return module.id
  throw refused()
}

function refused(): AppError {
  return new AppError('not_found', 'This invitation does not work any more. Ask the person who sent it for a new one.')
}
