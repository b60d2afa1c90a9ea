import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { IMAGES_MAX, IMAGES_MAX_BYTES, type ImageName, isWide, VIDEO_MARK_CHARS } from '#contract/image.ts'
import { largeName, smallName, wideName } from '#contract/image-url.ts'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { stepImages } from '#worker/db/schema.ts'
import { IMAGES_OF_STEPS } from '#worker/domain/step/step-store.ts'

/** An image of a step in the bucket. */
export type ImageRow = typeof stepImages.$inferSelect

/** The name of the smallest one of a step's images in SQL, as `smallName` has it. */
const smallNameOf = (name: string) =>
  `CASE WHEN ${name} LIKE '%-%-960' THEN substr(${name}, 1, length(${name}) - 4) ELSE replace(${name}, '-1600w', '') END`
/** Begins the names of images of the video that the module `?1` has, as `videoMarkOf` of `video-id.ts` has it. */
const MARK = `(SELECT iif(instr(source_key || '/', '/' || id || '/') > 0, '',
  substr(source_key, instr(source_key, '/') + 1, ${VIDEO_MARK_CHARS}) || '.') FROM modules WHERE id = ?1)`
/** Whether a step of the module `?1` shows an image, in any size. Those of earlier videos have other names. */
const isUsed = (name: string) => `${smallNameOf(`replace(${name}, ${MARK}, '')`)} IN (${IMAGES_OF_STEPS})`

/** Wide images leave the rest of the room to those that pages show. */
const WIDE_SHARE = 0.5

/** Whether a module has room for an image, in place of the one of that name. */
export async function hasRoomFor(
  d1: D1Database,
  { moduleId, name, sizeBytes }: Pick<ImageRow, 'moduleId' | 'name' | 'sizeBytes'>,
): Promise<boolean> {
  const sql = `SELECT count(*) AS n, coalesce(sum(size_bytes), 0) AS bytes FROM step_images
    WHERE module_id = ?1 AND name <> ?2`
  const [others] = await listRows<{ n: number; bytes: number }>(d1, sql, moduleId, name)
  const share = isWide(name) ? WIDE_SHARE : 1
  return others !== undefined && others.n < share * IMAGES_MAX && others.bytes + sizeBytes <= share * IMAGES_MAX_BYTES
}

/**
 * Records a stored image of a step, while the module has the video that it is of. Until a step shows it, it counts as
 * unused, like one that was replaced.
 * @returns whether it was recorded
 */
export async function upsertImage(
  d1: D1Database,
  { moduleId, name, contentType, sizeBytes }: Omit<ImageRow, 'unusedSince' | 'isPublished'>,
  { sourceKey, nowMs }: { sourceKey: string; nowMs: number },
): Promise<boolean> {
  const sql = `INSERT INTO step_images (module_id, name, content_type, size_bytes, unused_since)
    SELECT ?1, ?2, ?3, ?4, iif(${isUsed('?2')}, NULL, ?5) FROM modules WHERE id = ?1 AND source_key = ?6
    ON CONFLICT DO UPDATE SET content_type = excluded.content_type, size_bytes = excluded.size_bytes,
      unused_since = excluded.unused_since`
  return (await runSql(d1, sql, moduleId, name, contentType, sizeBytes, nowMs, sourceKey)) === 1
}

/**
 * Whether a version shows an image, in any size: it is not to be replaced then, nor to get another size, which learners
 * would see in its place.
 */
export async function isPublished(db: Db, { moduleId, name }: Pick<ImageRow, 'moduleId' | 'name'>): Promise<boolean> {
  const small = smallName(name)
  const sizes = [small, largeName(small), wideName(small)]
  const isIt = and(eq(stepImages.moduleId, moduleId), inArray(stepImages.name, sizes), eq(stepImages.isPublished, true))
  return (await db.select({ name: stepImages.name }).from(stepImages).where(isIt)).length > 0
}

/** Notes which images the steps of a module show now: called after each change of its steps. Writes what has changed. */
export async function updateUsedImages(d1: D1Database, moduleId: string, nowMs: number): Promise<void> {
  const sql = `UPDATE step_images SET unused_since = iif(unused_since IS NULL, ?2, NULL)
    WHERE module_id = ?1 AND (unused_since IS NULL) <> (is_published = 1 OR ${isUsed('name')})`
  await runSql(d1, sql, moduleId, nowMs)
}

/** Whether a step shows the image of that name, in any size. */
export async function isShown(db: Db, moduleId: string, name: ImageName): Promise<boolean> {
  const rows = await db
    .select({ name: stepImages.name })
    .from(stepImages)
    .where(and(eq(stepImages.moduleId, moduleId), eq(stepImages.name, smallName(name)), isNull(stepImages.unusedSince)))
  return rows.length > 0
}

/** Lists the images that the steps of a module show, by name. */
export function listShownImages(db: Db, moduleId: string): Promise<ImageRow[]> {
  return db
    .select()
    .from(stepImages)
    .where(and(eq(stepImages.moduleId, moduleId), isNull(stepImages.unusedSince)))
    .orderBy(asc(stepImages.name))
}

/** Lists images that no step has shown since before a time, of any module. */
export function listUnusedImages(
  d1: D1Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<Pick<ImageRow, 'moduleId' | 'name'>[]> {
  const sql = `SELECT module_id AS moduleId, name FROM step_images
    WHERE unused_since < ?1 ORDER BY unused_since LIMIT ?2`
  return listRows(d1, sql, beforeMs, limit)
}

/** Removes rows of images that are gone from the bucket, unless a step has begun to show them meanwhile. */
export async function removeUnusedImages(
  d1: D1Database,
  images: readonly Pick<ImageRow, 'moduleId' | 'name'>[],
): Promise<void> {
  const sql = `DELETE FROM step_images WHERE unused_since IS NOT NULL
    AND (module_id, name) IN (SELECT value->>'moduleId', value->>'name' FROM json_each(?1))`
  await runSql(d1, sql, JSON.stringify(images))
}

/** Removes the image rows of a module that is erased. */
export async function removeImages(db: Db, moduleId: string): Promise<void> {
  await db.delete(stepImages).where(eq(stepImages.moduleId, moduleId))
}
