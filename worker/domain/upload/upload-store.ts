import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { uploadParts } from '#worker/db/operation-tables.ts'
import { modules } from '#worker/db/schema.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addIngestTask } from '#worker/domain/run/run-task-store.ts'

/** A part of a file that has arrived in the bucket and whose upload has not been completed. */
export type UploadPartRow = typeof uploadParts.$inferSelect

/** The most uploads on one page; people do not have more in progress. */
const OPEN_UPLOADS_MAX = 20

/**
 * Bytes are a heartbeat of the upload, but not of the run that transcribes its audio meanwhile: they count as one only
 * after the watchdog has retried lost messages (45 + 90 + 180 s).
 */
const BYTES_COUNT_AFTER_MS = 6 * 60_000

/** `?1` is the module: true while its upload in parts can be resumed. */
const IS_OPEN = `EXISTS (SELECT 1 FROM modules
  WHERE id = ?1 AND upload_id IS NOT NULL AND source_etag IS NULL)`

/**
 * Notes that a part lies in the bucket; the newest word on a part counts. With the first one the module is listed.
 * @returns false when the upload is complete or cancelled; nothing is noted then
 */
export async function insertUploadPart(d1: D1Database, part: UploadPartRow, nowMs: number): Promise<boolean> {
  const results = await d1.batch([
    d1
      .prepare(
        `INSERT INTO upload_parts (module_id, part, etag, size_bytes) SELECT ?1, ?2, ?3, ?4 WHERE ${IS_OPEN}
         ON CONFLICT (module_id, part) DO UPDATE SET etag = excluded.etag, size_bytes = excluded.size_bytes`,
      )
      .bind(part.moduleId, part.part, part.etag, part.sizeBytes),
    d1
      .prepare(
        `UPDATE modules SET
           uploaded_bytes = (SELECT coalesce(sum(size_bytes), 0) FROM upload_parts WHERE module_id = ?1),
           received_at = coalesce(received_at, ?2),
           message = CASE WHEN run = 0 THEN 'Uploading video' ELSE message END,
           updated_at = CASE WHEN run = 0 OR updated_at < ?2 - ${BYTES_COUNT_AFTER_MS} THEN ?2 ELSE updated_at END
         WHERE id = ?1 AND ${IS_OPEN}`,
      )
      .bind(part.moduleId, nowMs),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

/** The parts of an upload that have arrived, in order. */
export function listUploadParts(db: Db, moduleId: string): Promise<UploadPartRow[]> {
  return db.select().from(uploadParts).where(eq(uploadParts.moduleId, moduleId)).orderBy(asc(uploadParts.part))
}

/** A person's uploads in parts that have not been completed, newest first, with what has arrived of each. */
export async function listOpenUploads(
  db: Db,
  userId: string,
): Promise<{ module: ModuleRow; parts: UploadPartRow[] }[]> {
  const open = await db
    .select()
    .from(modules)
    .where(and(eq(modules.userId, userId), isNotNull(modules.uploadId), isNull(modules.sourceEtag)))
    .orderBy(desc(modules.createdAt), desc(modules.id))
    .limit(OPEN_UPLOADS_MAX)
  if (open.length === 0) return []
  const ids = open.map((module) => module.id)
  const parts = await db
    .select()
    .from(uploadParts)
    .where(inArray(uploadParts.moduleId, ids))
    .orderBy(asc(uploadParts.part))
  return open.map((module) => ({ module, parts: parts.filter((part) => part.moduleId === module.id) }))
}

/** Deletes the arrived parts of an upload that is complete, removed, or to be sent again. */
export async function removeUploadParts(db: Db, moduleId: string): Promise<void> {
  await db.delete(uploadParts).where(eq(uploadParts.moduleId, moduleId))
}

/** What `complete` found in the bucket. */
export interface ReceivedSource {
  etag: string
  sizeBytes: number
  type: string
}

/** Pins a module to the bytes that arrived. @returns false when an earlier `complete` has done so already */
export async function receiveSource(db: Db, moduleId: string, source: ReceivedSource, nowMs: number): Promise<boolean> {
  const received = await db.batch([
    db
      .update(modules)
      .set({
        sourceEtag: source.etag,
        sourceSizeBytes: source.sizeBytes,
        sourceType: source.type,
        uploadId: null,
        uploadedBytes: source.sizeBytes,
        receivedAt: sql`coalesce(${modules.receivedAt}, ${nowMs})`,
        uploadedAt: nowMs,
        redrives: 0,
        updatedAt: nowMs,
      })
      .where(and(eq(modules.id, moduleId), isNull(modules.sourceEtag)))
      .returning({ id: modules.id }),
    // A run that has begun with a browser's audio waits for it.
    addIngestTask(db, { moduleId }, { index: 0, nowMs }),
  ])
  return received[0].length === 1
}

/**
 * Ends a listed module whose file turned out to be no video that we take; one that is not listed goes unseen with the
 * sweep. @returns whether it was ended
 */
export async function refuseSource(db: Db, moduleId: string, reason: string, nowMs: number): Promise<boolean> {
  const refused = await db
    .update(modules)
    .set({
      status: 'FAILED',
      runStatus: 'FAILED',
      message: 'Processing failed',
      failureCode: 'unreadable',
      lastError: reason,
      uploadId: null,
      updatedAt: nowMs,
    })
    .where(
      and(
        eq(modules.id, moduleId),
        eq(modules.status, 'PROCESSING'),
        isNotNull(modules.receivedAt),
        isNull(modules.sourceEtag),
      ),
    )
    .returning({ id: modules.id })
  return refused.length === 1
}
