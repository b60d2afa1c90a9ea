import { and, asc, between, count, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioParts } from '#worker/db/schema.ts'
import type { HeardWord } from '#worker/ports/speech-to-text.ts'
import type { RunId } from './run-fence.ts'
import { addChunkTasks } from './task-store.ts'

/** A part of the sound of one run: where it lies, and what was heard in it once somebody has listened. */
export type PartRow = typeof audioParts.$inferSelect
/** A part as it is cut, before anybody has listened. */
export type NewPart = typeof audioParts.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioParts.moduleId, id.moduleId), eq(audioParts.run, id.run))
}

/** Writes audio chunks with the tasks of transcribing them; what is there stays as it is, so a second call does no harm. */
export async function insertParts(d1: D1Database, id: RunId, { parts, nowMs }: { parts: NewPart[]; nowMs: number }) {
  const numbers = parts.map(({ part }) => part)
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO audio_parts (module_id, run, part, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                                  etag, start_ms, end_ms)
         SELECT ?1, ?2, value->>'part', value->>'key', value->>'contentType', value->>'audioStartMs',
                value->>'audioDurationMs', value->>'sizeBytes', value->>'etag', value->>'startMs', value->>'endMs'
         FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(id.moduleId, id.run, JSON.stringify(parts)),
    addChunkTasks(d1, id, { nowMs, from: Math.min(...numbers), to: Math.max(...numbers) }),
  ])
}

/** @returns null when there is no such part */
export async function findPart(db: Db, id: RunId, part: number): Promise<PartRow | null> {
  return (await db.query.audioParts.findFirst({ where: and(isOfRun(id), eq(audioParts.part, part)) })) ?? null
}

/** Parts `first` to `last`, those that exist, in time order. */
export function listPartsBetween(db: Db, id: RunId, first: number, last: number): Promise<PartRow[]> {
  return db
    .select()
    .from(audioParts)
    .where(and(isOfRun(id), between(audioParts.part, first, last)))
    .orderBy(asc(audioParts.part))
}

/** How many of the parts `first` to `last` have been heard. */
export async function countHeardBetween(db: Db, id: RunId, first: number, last: number): Promise<number> {
  const [row] = await db
    .select({ parts: count() })
    .from(audioParts)
    .where(and(isOfRun(id), between(audioParts.part, first, last), eq(audioParts.status, 'heard')))
  return row?.parts ?? 0
}

/** Parts that begin before `cursorMs`: the index of the next one to cut. Reads the last of them, however many there are. */
export async function countPartsBefore(db: Db, id: RunId, cursorMs: number): Promise<number> {
  const [last] = await db
    .select({ part: audioParts.part })
    .from(audioParts)
    .where(and(isOfRun(id), lt(audioParts.startMs, cursorMs)))
    .orderBy(desc(audioParts.part))
    .limit(1)
  return last === undefined ? 0 : last.part + 1
}

/** In what language how many parts were heard, most first; parts whose language nobody told are left out. */
export function countLanguages(db: Db, id: RunId): Promise<{ language: string | null; parts: number }[]> {
  return db
    .select({ language: audioParts.language, parts: count() })
    .from(audioParts)
    .where(and(isOfRun(id), isNotNull(audioParts.language)))
    .groupBy(audioParts.language)
    .orderBy(desc(count()), asc(audioParts.language))
}

/** Words of a heard part, relative to its audio; empty before. */
export function readWords(part: PartRow): HeardWord[] {
  return part.words === null ? [] : (JSON.parse(part.words) as HeardWord[])
}

/** Removes the parts of all runs. */
export async function removeParts(db: Db, moduleId: string): Promise<void> {
  await db.delete(audioParts).where(eq(audioParts.moduleId, moduleId))
}
