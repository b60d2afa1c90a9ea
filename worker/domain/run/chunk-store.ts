import { and, asc, between, count, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioChunks } from '#worker/db/schema.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import type { RunId } from './run-fence.ts'
import { addChunkTasks } from './task-store.ts'

/** A chunk of the audio of one run: where it lies, and its words once it is transcribed. */
export type ChunkRow = typeof audioChunks.$inferSelect
/** A chunk as it is cut, before anybody has listened. */
export type NewChunk = typeof audioChunks.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioChunks.moduleId, id.moduleId), eq(audioChunks.run, id.run))
}

/** Writes audio chunks with the tasks of transcribing them; what is there stays as it is, so a second call does no harm. */
export async function insertChunks(
  d1: D1Database,
  id: RunId,
  { chunks, nowMs }: { chunks: NewChunk[]; nowMs: number },
) {
  const numbers = chunks.map(({ chunk }) => chunk)
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                                  etag, start_ms, end_ms)
         SELECT ?1, ?2, value->>'chunk', value->>'key', value->>'contentType', value->>'audioStartMs',
                value->>'audioDurationMs', value->>'sizeBytes', value->>'etag', value->>'startMs', value->>'endMs'
         FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(id.moduleId, id.run, JSON.stringify(chunks)),
    addChunkTasks(d1, id, { nowMs, from: Math.min(...numbers), to: Math.max(...numbers) }),
  ])
}

/** @returns null when there is no such chunk */
export async function findChunk(db: Db, id: RunId, chunk: number): Promise<ChunkRow | null> {
  return (await db.query.audioChunks.findFirst({ where: and(isOfRun(id), eq(audioChunks.chunk, chunk)) })) ?? null
}

/** Chunks `first` to `last`, those that exist, in time order. */
export function listChunksBetween(db: Db, id: RunId, first: number, last: number): Promise<ChunkRow[]> {
  return db
    .select()
    .from(audioChunks)
    .where(and(isOfRun(id), between(audioChunks.chunk, first, last)))
    .orderBy(asc(audioChunks.chunk))
}

/** How many of the chunks `first` to `last` are transcribed. */
export async function countTranscribedBetween(db: Db, id: RunId, first: number, last: number): Promise<number> {
  const [row] = await db
    .select({ chunks: count() })
    .from(audioChunks)
    .where(and(isOfRun(id), between(audioChunks.chunk, first, last), eq(audioChunks.status, 'transcribed')))
  return row?.chunks ?? 0
}

/** Chunks that begin before `cursorMs`: the index of the next one to cut. Reads the last of them, however many there are. */
export async function countChunksBefore(db: Db, id: RunId, cursorMs: number): Promise<number> {
  const [last] = await db
    .select({ chunk: audioChunks.chunk })
    .from(audioChunks)
    .where(and(isOfRun(id), lt(audioChunks.startMs, cursorMs)))
    .orderBy(desc(audioChunks.chunk))
    .limit(1)
  return last === undefined ? 0 : last.chunk + 1
}

/** How many chunks have which language, most first; chunks of unknown language are left out. */
export function countLanguages(db: Db, id: RunId): Promise<{ language: string | null; chunks: number }[]> {
  return db
    .select({ language: audioChunks.language, chunks: count() })
    .from(audioChunks)
    .where(and(isOfRun(id), isNotNull(audioChunks.language)))
    .groupBy(audioChunks.language)
    .orderBy(desc(count()), asc(audioChunks.language))
}

/** Words of a transcribed chunk, relative to its audio; empty before. */
export function readWords(chunk: ChunkRow): TranscribedWord[] {
  return chunk.words === null ? [] : (JSON.parse(chunk.words) as TranscribedWord[])
}

/** Removes the parts of all runs. */
export async function removeChunks(db: Db, moduleId: string): Promise<void> {
  await db.delete(audioChunks).where(eq(audioChunks.moduleId, moduleId))
}
