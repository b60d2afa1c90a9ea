import { z } from 'zod'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { answerPhoto, type Photo, readPhotoBytes } from '#worker/domain/image/photo.ts'
import {
  listExpired,
  listReportsBefore,
  type ReportsOf,
  removeExpired,
  removeRows,
  type StepReportRow,
} from './step-report-store.ts'

type PhotoName = Pick<StepReportRow, 'moduleId' | 'id'>

/**
 * Reads a photo of a report by its bytes.
 * @throws {AppError} unsupported_media_type, payload_too_large
 */
export function readPhoto(base64: string | null): Photo | null {
  return base64 === null ? null : readPhotoBytes(z.util.base64ToUint8Array(base64))
}

/** Where the photos of a module's reports lie. */
export function photosOf(moduleId: string): string {
  return `reports/${moduleId}/`
}

/** Where the photo of a report lies. */
export function photoKey({ moduleId, id }: PhotoName): string {
  return `${photosOf(moduleId)}${id}`
}

/** Keeps the photo of a report. */
export async function putPhoto(bucket: R2Bucket, name: PhotoName, { bytes, type }: Photo): Promise<void> {
  await bucket.put(photoKey(name), bytes, { httpMetadata: { contentType: type } })
}

/**
 * Answers a photo to who owns its module: as an image and as nothing else, kept by no cache.
 * @returns null where there is none
 */
export async function servePhoto(bucket: R2Bucket, row: StepReportRow): Promise<Response | null> {
  if (row.photoType === null) return null
  const object = await bucket.get(photoKey(row))
  if (object === null) return null
  return answerPhoto(object.body, { type: row.photoType, cacheControl: 'no-store' })
}

/** How long photos are kept, and reports that are settled. */
const KEPT_MS = 180 * DAY_MS
/** R2 deletes so many objects in one call. */
const REMOVED_AT_ONCE = 1_000

/** Removes photos that have had their time, and settled reports of then. @returns how many */
export async function removeExpiredReports({
  db,
  d1,
  bucket,
  nowMs,
}: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>): Promise<number> {
  const expired = await listExpired(db, { beforeMs: nowMs() - KEPT_MS, limit: REMOVED_AT_ONCE })
  if (expired.length === 0) return 0
  await deletePhotos(bucket, expired)
  await removeExpired(d1, expired)
  return expired.length
}

/** Removes some of what a learner reported by a moment, with its photos. @returns false while there is more */
export async function removeReportsOf(
  { db, d1, bucket }: Pick<Context, 'db' | 'd1' | 'bucket'>,
  of: ReportsOf,
  beforeMs: number,
): Promise<boolean> {
  const rows = await listReportsBefore(db, { ...of, beforeMs, limit: REMOVED_AT_ONCE })
  await deletePhotos(bucket, rows)
  if (rows.length > 0) await removeRows(d1, rows)
  return rows.length < REMOVED_AT_ONCE
}

async function deletePhotos(bucket: R2Bucket, rows: readonly (PhotoName & Pick<StepReportRow, 'photoType'>)[]) {
  const keys = rows.filter(({ photoType }) => photoType !== null).map(photoKey)
  if (keys.length > 0) await bucket.delete(keys)
}
