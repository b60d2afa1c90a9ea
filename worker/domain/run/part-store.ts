import { and, asc, count, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioParts } from '#worker/db/schema.ts'
import type { Heard, HeardWord } from '#worker/ports/speech-to-text.ts'
import type { RunId } from './run-store.ts'

export type PartRow = typeof audioParts.$inferSelect
export type NewPart = typeof audioParts.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioParts.moduleId, id.moduleId), eq(audioParts.run, id.run))
}

/** Writes a planned part; a second delivery changes nothing, so what has been heard stays. */
export async function insertPart(db: Db, part: NewPart): Promise<void> {
  await db.insert(audioParts).values(part).onConflictDoNothing()
}

/** @returns null when there is no such part */
export async function findPart(db: Db, id: RunId, part: number): Promise<PartRow | null> {
  return (await db.query.audioParts.findFirst({ where: and(isOfRun(id), eq(audioParts.part, part)) })) ?? null
}

/** All parts of a run so far, in time order. */
export function listParts(db: Db, id: RunId): Promise<PartRow[]> {
  return db.select().from(audioParts).where(isOfRun(id)).orderBy(asc(audioParts.part))
}

/** Parts that begin before `cursorMs`: the index of the next one to cut. */
export async function countPartsBefore(db: Db, id: RunId, cursorMs: number): Promise<number> {
  const [row] = await db
    .select({ parts: count() })
    .from(audioParts)
    .where(and(isOfRun(id), lt(audioParts.startMs, cursorMs)))
  return row?.parts ?? 0
}

/** Stores what was heard. @returns false when the part had been heard before; the first answer stays */
export async function storeHeard(db: Db, id: RunId, part: number, heard: Heard, nowMs: number): Promise<boolean> {
  const stored = await db
    .update(audioParts)
    .set({
      status: 'heard',
      words: JSON.stringify(heard.words),
      confidence: heard.confidence,
      language: heard.language,
      heardAt: nowMs,
    })
    .where(and(isOfRun(id), eq(audioParts.part, part), eq(audioParts.status, 'planned')))
    .returning({ part: audioParts.part })
  return stored.length === 1
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
