import { and, asc, between, count, desc, eq, gt, isNotNull, lt, lte } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioParts } from '#worker/db/schema.ts'
import type { HeardWord } from '#worker/ports/speech-to-text.ts'
import type { RunId } from './run-store.ts'

/** A part of the sound of one run: where it lies, and what was heard in it once somebody has listened. */
export type PartRow = typeof audioParts.$inferSelect
/** A part as it is cut, before anybody has listened. */
export type NewPart = typeof audioParts.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioParts.moduleId, id.moduleId), eq(audioParts.run, id.run))
}

/** Rows of eighteen values that fit the hundred of one statement (D1, "bound parameters"). */
const ROWS_PER_INSERT = 5

/** Writes planned parts; a second delivery changes nothing, so what has been heard stays. */
export async function insertParts(db: Db, parts: NewPart[]): Promise<void> {
  for (let at = 0; at < parts.length; at += ROWS_PER_INSERT) {
    await db
      .insert(audioParts)
      .values(parts.slice(at, at + ROWS_PER_INSERT))
      .onConflictDoNothing()
  }
}

/** @returns null when there is no such part */
export async function findPart(db: Db, id: RunId, part: number): Promise<PartRow | null> {
  return (await db.query.audioParts.findFirst({ where: and(isOfRun(id), eq(audioParts.part, part)) })) ?? null
}

/** Says until when a part is not to be taken up: while it is worked on, or before its next try. */
export async function holdPart(db: Db, id: RunId, part: number, untilMs: number): Promise<void> {
  await db
    .update(audioParts)
    .set({ busyUntil: untilMs })
    .where(and(isOfRun(id), eq(audioParts.part, part)))
}

/** Parts `first` to `last`, those that exist, in time order. */
export function listPartsBetween(db: Db, id: RunId, first: number, last: number): Promise<PartRow[]> {
  return db
    .select()
    .from(audioParts)
    .where(and(isOfRun(id), between(audioParts.part, first, last)))
    .orderBy(asc(audioParts.part))
}

/** Numbers of the parts that are still to be heard and that nobody is at work on. */
export async function listIdleParts(db: Db, id: RunId, nowMs: number): Promise<number[]> {
  const rows = await db
    .select({ part: audioParts.part })
    .from(audioParts)
    .where(and(isOfRun(id), eq(audioParts.status, 'planned'), lte(audioParts.busyUntil, nowMs)))
    .orderBy(asc(audioParts.part))
  return rows.map((row) => row.part)
}

/** Whether a part is being heard, or waits for its next try: neither is lost. */
export async function hasBusyParts(db: Db, id: RunId, nowMs: number): Promise<boolean> {
  const [row] = await db
    .select({ part: audioParts.part })
    .from(audioParts)
    .where(and(isOfRun(id), eq(audioParts.status, 'planned'), gt(audioParts.busyUntil, nowMs)))
    .limit(1)
  return row !== undefined
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

/** Whether a recogniser has answered for any module since then: what waits for its turn is not lost. */
export async function hasHeardSince(db: Db, sinceMs: number): Promise<boolean> {
  const [row] = await db
    .select({ part: audioParts.part })
    .from(audioParts)
    .where(gt(audioParts.heardAt, sinceMs))
    .limit(1)
  return row !== undefined
}
