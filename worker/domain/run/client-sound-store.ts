import { and, asc, eq } from 'drizzle-orm'
import type { ClientAudioPart } from '#contract/upload.ts'
import type { Db } from '#worker/db/db.ts'
import { audioParts, runs } from '#worker/db/schema.ts'
import { partKey } from './remove-run-objects.ts'
import { isRunCurrent, type RunId } from './run-fence.ts'
import { isRun } from './run-store.ts'
import { addChunkTasks, addIngestTask, holdsLease, settleTask, type Task } from './task-store.ts'

/** `?1` module, `?2` run: true while a browser's sound is of use, which it is until the video has arrived. */
const IS_WANTED = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING'
    AND deleted_at IS NULL AND source_etag IS NULL AND transcript_source IS NOT 'captions')
  AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND sound_from = 'browser' AND ended_at IS NULL)`

/** A part with the ETag of the object that was found for it; nothing is taken of a part without one. */
export type StoredAudioPart = ClientAudioPart & { etag: string | null }

/** Sound that a browser has cut and put into the bucket. */
export interface ClientSound {
  durationMs: number
  parts: StoredAudioPart[]
  partCount: number | null
}

/**
 * Plans the parts of a browser's sound to be heard, and lists their module. What was planned before stays as it is.
 * @returns false when the audio is of no use any more, and nothing has been taken
 */
export async function takeClientSound(
  d1: D1Database,
  id: RunId,
  { durationMs, parts, partCount, nowMs }: ClientSound & { nowMs: number },
): Promise<boolean> {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(id.moduleId, id.run, ...values)
  const rows = JSON.stringify(parts.map((part) => ({ ...part, key: partKey({ ...id, part: part.part }) })))
  const numbers = parts.map(({ part }) => part)
  const results = await d1.batch([
    bind(
      `INSERT INTO audio_parts (module_id, run, part, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                                etag, start_ms, end_ms)
       SELECT ?1, ?2, value->>'part', value->>'key', value->>'contentType', value->>'audioStartMs',
              value->>'audioDurationMs', value->>'sizeBytes', value->>'etag', value->>'startMs', value->>'endMs'
       FROM json_each(?3) WHERE value->>'etag' IS NOT NULL AND ${IS_WANTED} ON CONFLICT DO NOTHING`,
      rows,
    ),
    addChunkTasks(d1, id, { nowMs, from: Math.min(0, ...numbers), to: Math.max(-1, ...numbers) }),
    bind(
      `UPDATE runs SET part_count = coalesce(part_count, ?3) WHERE module_id = ?1 AND run = ?2 AND ${IS_WANTED}`,
      partCount,
    ),
    bind(
      `UPDATE modules SET duration_ms = coalesce(duration_ms, ?3), received_at = coalesce(received_at, ?4),
              updated_at = ?4, redrives = 0
       WHERE id = ?1 AND ${IS_WANTED}`,
      durationMs,
      nowMs,
    ),
  ])
  return results.at(-1)?.meta.changes === 1
}

/** A part of a run's sound without what was heard in it. */
export type PlannedPart = Pick<
  typeof audioParts.$inferSelect,
  'part' | 'key' | 'contentType' | 'audioStartMs' | 'audioDurationMs' | 'sizeBytes' | 'etag' | 'startMs' | 'endMs'
>

/** All parts of a run's sound that are planned or heard, in order. */
export function listPlannedParts(db: Db, id: RunId): Promise<PlannedPart[]> {
  const { part, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs } = audioParts
  return db
    .select({ part, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs })
    .from(audioParts)
    .where(and(eq(audioParts.moduleId, id.moduleId), eq(audioParts.run, id.run)))
    .orderBy(asc(audioParts.part))
}

/**
 * Notes that a browser's sound is the video's, and where the server is to go on cutting it; from then on the run is
 * like any other. Settles the task of comparing, and adds that of the first slice where there is more to cut.
 */
export async function confirmSound(
  db: Db,
  task: Task,
  to: { cursorMs: number | null; partCount: number | null; nowMs: number },
): Promise<void> {
  const { nowMs, ...place } = to
  const confirm = db
    .update(runs)
    .set({ isVerified: true, ...place })
    .where(and(isRun(task), eq(runs.isVerified, false), holdsLease(task), isRunCurrent(task)))
  const next = addIngestTask(db, task, { index: task.index + 1, nowMs })
  await db.batch([confirm, ...(place.partCount === null ? [next] : []), settleTask(db, task)])
}
