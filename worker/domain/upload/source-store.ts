import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { addIngestTask } from '#worker/domain/run/task-store.ts'

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
