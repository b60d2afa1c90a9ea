import type { NamedPhoto } from '#contract/records/named-in-record.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { ExportedCheckpoints } from '#records/export-files.ts'
import { hashBytes } from '#records/hash-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { answerPhoto, type Photo } from '#worker/domain/image/photo.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'

/** A photo of a person of an organization, whether or not a record names it. */
export interface PhotoPlace extends NamedPhoto {
  orgId: string
}

/** Where the photos of a person lie: what is erased of one takes nothing from another, of whom the same was sent. */
function photosOf({ orgId, personId }: Omit<PhotoPlace, 'hash'>): string {
  return `${allPhotosOf(orgId)}${personId}/`
}

function allPhotosOf(orgId: string): string {
  return `records/${orgId}/photos/`
}

function photoKey(place: PhotoPlace): string {
  return `${photosOf(place)}${place.hash}`
}

/** Here lies a mark for each photo of the last day, of which is not known whether a record names it. */
const WAITING = 'waiting-photos/'

function markOf({ orgId, personId, hash }: PhotoPlace): string {
  return `${WAITING}${orgId}/${personId}/${hash}`
}

/** For how long a photo waits to be named; who signs later sends it again. */
const NAMED_WITHIN_MS = DAY_MS
/** A signature that has found its photo is recorded long before the photo is removed. */
const REMOVED_AFTER_MS = NAMED_WITHIN_MS + 3_600_000
/** R2 lists and deletes so many objects in one call. */
const OBJECTS_AT_ONCE = 1_000

/** Keeps a photo for a day, in which a record has to name it. @returns its hash */
export async function keepPhoto(
  bucket: R2Bucket,
  subject: Omit<PhotoPlace, 'hash'>,
  { bytes, type }: Photo,
): Promise<string> {
  const place = { ...subject, hash: await hashBytes(bytes) }
  // After its mark: a photo that lies in the bucket is always known of.
  await bucket.put(markOf(place), '')
  await bucket.put(photoKey(place), bytes, { httpMetadata: { contentType: type } })
  return place.hash
}

/**
 * Refuses photos that were not sent, or so long ago that they may be removed before a record names them.
 * @throws {AppError} invalid_request
 */
export async function requirePhotos(
  { bucket, nowMs }: Pick<Context, 'bucket' | 'nowMs'>,
  photos: readonly PhotoPlace[],
): Promise<void> {
  const sinceMs = nowMs() - NAMED_WITHIN_MS
  const found = await Promise.all(photos.map((place) => bucket.head(photoKey(place))))
  if (found.some((object) => object === null || object.uploaded.getTime() < sinceMs))
    throw new AppError('invalid_request', 'steps: A photo is not here any more. Add it again.')
}

/** An erased photo is gone from browsers after this time. */
const MAX_AGE_S = 300

/** Answers a photo to who may read the records. @throws {AppError} not_found */
export async function serveRecordPhoto(bucket: R2Bucket, place: PhotoPlace): Promise<Response> {
  const object = await bucket.get(photoKey(place))
  if (object === null) throw new AppError('not_found', 'This photo is not there any more.')
  const answer = answerPhoto(object.body, { type: typeOf(object), cacheControl: `private, max-age=${MAX_AGE_S}` })
  // A browser may be another person's by then.
  answer.headers.set('vary', 'authorization')
  return answer
}

/** Lists photos of an export by their keys, `most` at a time. */
export async function listNamedPhotos(
  { d1, bucket }: Pick<Context, 'd1' | 'bucket'>,
  { organization: orgId, from, end }: Pick<ExportedCheckpoints, 'organization' | 'from' | 'end'>,
  { after, most }: { after: string; most: number },
): Promise<{ photos: PhotoPlace[]; last: string | null }> {
  const prefix = allPhotosOf(orgId)
  const limit = Math.min(most, OBJECTS_AT_ONCE)
  const { objects, truncated } = await bucket.list({ prefix, startAfter: `${prefix}${after}`, limit })
  const rests = objects.map(({ key }) => key.slice(prefix.length))
  const places = rests.map((rest) => {
    const [personId = '', hash = ''] = rest.split('/')
    return { orgId, personId, hash }
  })
  const photos = await listRows<PhotoPlace>(
    d1,
    `SELECT ${PLACE} FROM json_each(?1) AS a WHERE ${isNamed('s.seq BETWEEN ?2 AND ?3')}`,
    JSON.stringify(places),
    from.seq,
    end.seq,
  )
  return { photos, last: truncated ? (rests.at(-1) ?? null) : null }
}

/** Reads a photo for an export; null where it was removed with the name of its person. */
export async function readPhoto(bucket: R2Bucket, place: PhotoPlace): Promise<Photo | null> {
  const object = await bucket.get(photoKey(place))
  return object && { bytes: new Uint8Array(await object.arrayBuffer()), type: typeOf(object) }
}

function typeOf({ httpMetadata }: R2Object): Photo['type'] {
  return httpMetadata?.contentType === 'image/webp' ? 'image/webp' : 'image/jpeg'
}

/** Removes all photos of people. */
export async function removePhotosOf(bucket: R2Bucket, orgId: string, personIds: readonly string[]): Promise<void> {
  for (const personId of personIds) await removeObjects(bucket, photosOf({ orgId, personId }))
}

/** Removes photos that no record has named in time, and marks whose time is over. @returns how many photos */
export async function removeWaitingPhotos({
  d1,
  bucket,
  nowMs,
}: Pick<Context, 'd1' | 'bucket' | 'nowMs'>): Promise<number> {
  const beforeMs = nowMs() - REMOVED_AFTER_MS
  let removed = 0
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const listed = await bucket.list({ prefix: WAITING, ...(cursor === undefined ? {} : { cursor }) })
    const due = listed.objects.filter(({ uploaded }) => uploaded.getTime() < beforeMs).map(({ key }) => placeOf(key))
    removed += await removeUnnamed({ d1, bucket }, due)
    if (due.length > 0) await bucket.delete(due.map(markOf))
    hasMore = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
  return removed
}

function placeOf(mark: string): PhotoPlace {
  const [orgId = '', personId = '', hash = ''] = mark.slice(WAITING.length).split('/')
  return { orgId, personId, hash }
}

/** A photo of `?1`. */
const PLACE = "a.value ->> 'orgId' AS orgId, a.value ->> 'personId' AS personId, a.value ->> 'hash' AS hash"

/**
 * Whether one of some records names a photo of `?1`. In a record stands `"photo":"…"` only as the field: within a text the
 * quotation marks are escaped.
 */
const isNamed = (which: string) => `EXISTS (
  SELECT 1 FROM record_subjects AS s JOIN training_records AS r ON r.org_id = s.org_id AND r.seq = s.seq
  WHERE s.org_id = a.value ->> 'orgId' AND s.person_id = a.value ->> 'personId' AND ${which}
    AND r.kind IN ('signed_off', 'refused')
    AND instr(r.text, '"photo":"' || (a.value ->> 'hash') || '"') > 0)`

/** The photos of `?1` that no kept record names, and those of people who were erased, whom no record means any more. */
const UNNAMED = `SELECT ${PLACE} FROM json_each(?1) AS a
  WHERE NOT EXISTS (SELECT 1 FROM people AS p WHERE p.org_id = a.value ->> 'orgId' AND p.id = a.value ->> 'personId')
    OR NOT ${isNamed('s.seq >= coalesce((SELECT g.records_from FROM glossaries AS g WHERE g.org_id = s.org_id), 1)')}`

/** Removes those photos that no record names which is kept. @returns how many */
export async function removeUnnamed(
  { d1, bucket }: Pick<Context, 'd1' | 'bucket'>,
  photos: readonly PhotoPlace[],
): Promise<number> {
  let removed = 0
  for (let from = 0; from < photos.length; from += OBJECTS_AT_ONCE) {
    const part = photos.slice(from, from + OBJECTS_AT_ONCE)
    const unnamed = await listRows<PhotoPlace>(d1, UNNAMED, JSON.stringify(part))
    if (unnamed.length > 0) await bucket.delete(unnamed.map(photoKey))
    removed += unnamed.length
  }
  return removed
}
