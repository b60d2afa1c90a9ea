import { and, asc, eq } from 'drizzle-orm'
import type { ClientAudioChunk } from '#contract/upload.ts'
import type { AudioChunk } from '#media/audio-chunk.ts'
import type { MediaFacts } from '#media/read-facts.ts'
import type { Db } from '#worker/db/db.ts'
import { audioChunks, runs } from '#worker/db/schema.ts'
import { cutSourceSlice, type R2Window } from '#worker/domain/media/read-source.ts'
import { chunkKey, INSERT_CHUNKS, openAudioChunk } from './chunk-store.ts'
import { isRunCurrent, type RunId } from './current-run.ts'
import { isRun } from './run-store.ts'
import { addChunkTasks, addIngestTask, holdsLease, settleTask, type Task } from './task-store.ts'

/** `?1` module, `?2` run: true while a browser's audio is of use, which it is until the video has arrived. */
const IS_WANTED = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND run_status = 'PROCESSING' AND source_etag IS NULL AND transcript_source IS NOT 'captions')
  AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND audio_from = 'browser' AND ended_at IS NULL)`

/** A chunk with the ETag of the object that was found for it; nothing is taken of a chunk without one. */
export type StoredAudioChunk = ClientAudioChunk & { etag: string | null }

/** Audio that a browser has cut and put into the bucket. */
export interface ClientAudio {
  durationMs: number
  chunks: StoredAudioChunk[]
  chunkCount: number | null
}

/**
 * Plans the chunks of a browser's audio, and lists their module. What was planned before stays as it is.
 * @returns false when the audio is of no use any more, and nothing has been taken
 */
export async function takeClientAudio(
  d1: D1Database,
  id: RunId,
  { durationMs, chunks, chunkCount, nowMs }: ClientAudio & { nowMs: number },
): Promise<boolean> {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(id.moduleId, id.run, ...values)
  const rows = JSON.stringify(chunks.map((chunk) => ({ ...chunk, key: chunkKey({ ...id, chunk: chunk.chunk }) })))
  const numbers = chunks.map(({ chunk }) => chunk)
  const results = await d1.batch([
    bind(`${INSERT_CHUNKS} AND value->>'etag' IS NOT NULL AND ${IS_WANTED} ON CONFLICT DO NOTHING`, rows),
    addChunkTasks(d1, id, { nowMs, from: Math.min(0, ...numbers), to: Math.max(-1, ...numbers) }),
    bind(
      `UPDATE runs SET chunk_count = coalesce(chunk_count, ?3) WHERE module_id = ?1 AND run = ?2 AND ${IS_WANTED}`,
      chunkCount,
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

/** A chunk of a run's audio without its words. */
export type PlannedChunk = Pick<
  typeof audioChunks.$inferSelect,
  'chunk' | 'key' | 'contentType' | 'audioStartMs' | 'audioDurationMs' | 'sizeBytes' | 'etag' | 'startMs' | 'endMs'
>

/** All chunks of a run's audio, planned or transcribed, in order. */
export function listPlannedChunks(db: Db, id: RunId): Promise<PlannedChunk[]> {
  const { chunk, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs } = audioChunks
  return db
    .select({ chunk, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs })
    .from(audioChunks)
    .where(and(eq(audioChunks.moduleId, id.moduleId), eq(audioChunks.run, id.run)))
    .orderBy(asc(audioChunks.chunk))
}

/**
 * Notes that a browser's audio is the video's, and where the server is to go on cutting it; from then on the run is
 * like any other. Settles the task of comparing, and adds that of the first slice where there is more to cut.
 */
export async function confirmAudio(
  db: Db,
  task: Task,
  to: { cursorMs: number | null; chunkCount: number | null; nowMs: number },
): Promise<void> {
  const { nowMs, ...place } = to
  const confirm = db
    .update(runs)
    .set({ isVerified: true, ...place })
    .where(and(isRun(task), eq(runs.isVerified, false), holdsLease(task), isRunCurrent(task)))
  const next = addIngestTask(db, task, { index: task.index + 1, nowMs })
  await db.batch([confirm, ...(place.chunkCount === null ? [next] : []), settleTask(db, task)])
}

/** Containers round durations to their own ticks; a difference of more than a second is other audio, or another video. */
export const DURATION_TOLERANCE_MS = 1_000

/** A browser's audio, and the video that it is said to be of. */
export interface ComparedAudio {
  bucket: R2Bucket
  /** Opens the video; each chunk is cut from a reading of its own. */
  openSource: () => R2Window
  facts: MediaFacts
  /** What the browser said. */
  durationMs: number | null
  chunks: PlannedChunk[]
  /** Null while the browser has not sent all of them. */
  chunkCount: number | null
}

/**
 * Compares a browser's audio with the video's own: its length, that its chunks follow each other without a gap, and a
 * few of them byte for byte. The browser runs the very same cutting code, and a chunk depends on nothing but where it
 * begins, so an honest one is equal.
 * @returns what is wrong, for the log; null when nothing is
 * @throws what keeps the video from being read
 */
export async function compareAudio(audio: ComparedAudio): Promise<string | null> {
  const { facts, durationMs, chunks, chunkCount } = audio
  if (chunkCount !== null && chunks.length !== chunkCount) return `${chunks.length} of ${chunkCount} chunks are there`
  if (chunks.length === 0) return null
  if (facts.audio === null) return 'the video has no audio that can be read'
  if (Math.abs(facts.durationMs - (durationMs ?? 0)) > DURATION_TOLERANCE_MS) {
    return `it lasts ${durationMs} ms, the video ${facts.durationMs} ms`
  }
  const broken = chunks.find((chunk, at) => chunk.chunk !== at || chunk.startMs !== (chunks[at - 1]?.endMs ?? 0))
  if (broken !== undefined) return `chunk ${broken.chunk} does not follow the one before it`
  // Side by side, since READY waits for it, and each is a few reads of the bucket.
  const compared = await Promise.all(
    sampleOf(chunks).map(async (chunk) => ({ chunk: chunk.chunk, isSame: await isSame(audio, chunk) })),
  )
  const different = compared.find(({ isSame }) => !isSame)
  return different === undefined ? null : `chunk ${different.chunk} is not what the video has there`
}

/** The first, the middle one and the last but one: what was left out, added or shifted anywhere moves one of them. */
function sampleOf(chunks: PlannedChunk[]): PlannedChunk[] {
  const places = [0, Math.floor(chunks.length / 2), Math.max(0, chunks.length - 2)]
  return [...new Set(places)].flatMap((place) => chunks[place] ?? [])
}

async function isSame(audio: ComparedAudio, planned: PlannedChunk): Promise<boolean> {
  const { bucket, facts, openSource } = audio
  let same = false
  await cutSourceSlice({
    source: openSource(),
    facts,
    fromMs: planned.startMs,
    firstChunk: planned.chunk,
    // Ends with the first chunk.
    sliceMs: 1,
    saveChunk: async (cut) => {
      same = hasSameTimes(cut, planned) && (await hasSameBytes(bucket, planned, cut.bytes))
    },
  })
  return same
}

function hasSameTimes(cut: AudioChunk, planned: PlannedChunk): boolean {
  return (
    cut.chunk === planned.chunk &&
    cut.startMs === planned.startMs &&
    cut.endMs === planned.endMs &&
    cut.audioStartMs === planned.audioStartMs &&
    cut.audioDurationMs === planned.audioDurationMs &&
    cut.contentType === planned.contentType &&
    cut.bytes.byteLength === planned.sizeBytes
  )
}

/** Of the very object that is transcribed: another one that has taken its place is not the video's, whatever it is. */
async function hasSameBytes(bucket: R2Bucket, chunk: PlannedChunk, bytes: Uint8Array): Promise<boolean> {
  const object = await openAudioChunk(bucket, chunk)
  if (object === null || !('body' in object)) return false
  const stored = new Uint8Array(await object.arrayBuffer())
  return stored.byteLength === bytes.byteLength && stored.every((byte, at) => byte === bytes[at])
}
