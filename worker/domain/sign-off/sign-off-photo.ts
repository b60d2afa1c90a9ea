import type { SignOff } from '#contract/records/sign-off.ts'
import type { Context } from '#worker/core/context.ts'
import { readPhotoBytes } from '#worker/domain/image/photo.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import { keepPhoto, type PhotoPlace } from '#worker/domain/record/record-photo.ts'
import type { Subject } from '#worker/domain/record/record-store.ts'
import { getSignOff, requireOther } from './read-sign-off.ts'

/**
 * Keeps a photo of what a person was seen doing, for a day in which their supervisor signs.
 * @returns the hash by which a signature names it
 * @throws {AppError} not_found; invalid_request for oneself; unsupported_media_type, payload_too_large, quota_reached
 */
export async function addSignOffPhoto(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs' | 'quotas'>,
  { orgId, userId, ...subject }: Subject & { orgId: string; userId: string },
  bytes: Uint8Array,
): Promise<string> {
  const { person } = await getSignOff(context, orgId, subject)
  requireOther(person, userId)
  const photo = readPhotoBytes(bytes)
  await takeOne(context, 'photos', userId)
  return keepPhoto(context.bucket, { orgId, personId: person.id }, photo)
}

/** The photos that a signature names, each where it lies. */
export function photosSigned({ steps }: SignOff, { orgId, personId }: Omit<PhotoPlace, 'hash'>): PhotoPlace[] {
  return steps.flatMap(({ photo: hash }) => (hash === undefined ? [] : [{ orgId, personId, hash }]))
}
