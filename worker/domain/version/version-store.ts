import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { REVIEW_COMMENTS_MAX } from '#contract/limits.ts'
import { type Db, listRows } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { trainingVersions } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { SET_REVIEW_DATE } from './review-date.ts'

/** A published version, without its content. */
export type StoredVersion = typeof trainingVersions.$inferSelect

/** What lists have of it: there are many steps in many timelines, and mails are noted beside it. */
export type VersionRow = Omit<StoredVersion, 'timeline' | 'reviewTold'>

const { timeline: _timeline, reviewTold: _reviewTold, ...LISTED } = getTableColumns(trainingVersions)

/** Lists the versions of a module, the newest first. */
export function listVersions(db: Db, moduleId: string): Promise<VersionRow[]> {
  return db
    .select(LISTED)
    .from(trainingVersions)
    .where(eq(trainingVersions.moduleId, moduleId))
    .orderBy(desc(trainingVersions.number))
}

const isVersion = ({ moduleId, number }: Pick<VersionRow, 'moduleId' | 'number'>) =>
  and(eq(trainingVersions.moduleId, moduleId), eq(trainingVersions.number, number))

/** Finds a version by its number. */
export async function findVersion(
  db: Db,
  version: Pick<VersionRow, 'moduleId' | 'number'>,
): Promise<StoredVersion | null> {
  const [row] = await db.select().from(trainingVersions).where(isVersion(version))
  return row ?? null
}

/** Finds the version of which a page shows the steps. */
export async function findVersionOfSteps(
  db: Db,
  { moduleId, stepsVersion }: Pick<VersionRow, 'moduleId' | 'stepsVersion'>,
): Promise<StoredVersion | null> {
  const isIt = and(eq(trainingVersions.moduleId, moduleId), eq(trainingVersions.stepsVersion, stepsVersion))
  const [row] = await db.select().from(trainingVersions).where(isIt)
  return row ?? null
}

/** Finds the newest version with this content. */
export async function findVersionByHash(
  db: Db,
  { moduleId, hash }: Pick<VersionRow, 'moduleId' | 'hash'>,
): Promise<VersionRow | null> {
  const [row] = await db
    .select(LISTED)
    .from(trainingVersions)
    .where(and(eq(trainingVersions.moduleId, moduleId), eq(trainingVersions.hash, hash)))
    .orderBy(desc(trainingVersions.number))
    .limit(1)
  return row ?? null
}

/** Keeps what seconds of a version mean. */
export async function keepTimeline(
  db: Db,
  version: Pick<VersionRow, 'moduleId' | 'number'>,
  timeline: string,
): Promise<void> {
  await db.update(trainingVersions).set({ timeline }).where(isVersion(version))
}

/** Lists the versions of several modules, by module, the oldest first. */
export async function listVersionsOf(db: Db, moduleIds: readonly string[]): Promise<Map<string, VersionRow[]>> {
  const rows = await db
    .select(LISTED)
    .from(trainingVersions)
    .where(inArray(trainingVersions.moduleId, [...moduleIds]))
    .orderBy(trainingVersions.number)
  return Map.groupBy(rows, ({ moduleId }) => moduleId)
}

/** What lists of learners show of the versions that they see, by module; a module whose draft is live is not in it. */
export async function listPublishedHeads(
  db: Db,
  shown: readonly Pick<ModuleRow, 'id' | 'publishedVersion'>[],
): Promise<Map<string, Pick<VersionRow, 'title' | 'stepCount'>>> {
  const ids = shown.flatMap(({ id, publishedVersion }) => (publishedVersion === null ? [] : [id]))
  if (ids.length === 0) return new Map()
  const { moduleId, number, title, stepCount } = trainingVersions
  const rows = await db
    .select({ moduleId, title, stepCount })
    .from(trainingVersions)
    .innerJoin(modules, and(eq(modules.id, moduleId), eq(modules.publishedVersion, number)))
    .where(sql`${moduleId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
  return new Map(rows.map((row) => [row.moduleId, row]))
}

/** The state of a module that a version was made from. */
type MadeFrom = Pick<ModuleRow, 'id' | 'publishedVersion' | 'stepsVersion' | 'title' | 'editedBy'>

/** Whether the module `?1` is still what a version was made from, with the editor by whom it was decided who may publish. */
const IS_SAME = `id = ?1 AND published_version IS ?2 AND steps_version = ?3 AND title = ?4 AND edited_by IS ?5`

/** Learners see the video of the draft from now on, of which an owner's browser draws the poster. */
const SEE_DRAFT_VIDEO = 'has_poster = iif(learner_source IS NULL, has_poster, 0), learner_source = NULL'

const valuesOf = ({ id, publishedVersion, stepsVersion, title, editedBy }: MadeFrom) => {
  return [id, publishedVersion, stepsVersion, title, editedBy]
}

/**
 * Stores a version and shows it to learners, unless the module has changed since it was made.
 * @param version with the names of the images that it shows, and how many comments its publisher has seen
 * @returns whether it was stored
 */
export async function insertVersion(
  d1: D1Database,
  module: MadeFrom,
  version: Omit<StoredVersion, 'moduleId' | 'number' | 'stepsVersion' | 'title' | 'isAsked' | 'reviewTold'> & {
    images: readonly string[]
    seenComments: number | undefined
  },
): Promise<boolean> {
  const { hash, note, retraining, userId, publishedAt, stepCount, approval, timeline, images, seenComments } = version
  const bind = (query: string, ...values: unknown[]) => d1.prepare(query).bind(...valuesOf(module), ...values)
  const [inserted] = await d1.batch([
    bind(
      `INSERT INTO training_versions (module_id, number, hash, note, retraining, user_id, published_at, title, step_count, steps_version, approval, is_asked, timeline)
       SELECT ?1, 1 + coalesce((SELECT max(number) FROM training_versions WHERE module_id = ?1), 0),
              ?6, ?7, ?8, ?9, ?10, title, ?11, steps_version + 1, ?12, org_id IS NULL, ?13
       FROM modules WHERE ${IS_SAME}`,
      hash,
      note,
      retraining,
      userId,
      publishedAt,
      stepCount,
      approval === null ? null : JSON.stringify(approval),
      timeline,
    ),
    bind(`DELETE FROM version_reviews WHERE module_id = ?1 AND EXISTS (SELECT 1 FROM modules WHERE ${IS_SAME})`),
    bind(
      `UPDATE step_images SET is_published = 1, unused_since = NULL
       WHERE module_id = ?1 AND is_published = 0 AND name IN (SELECT value FROM json_each(?6))
         AND EXISTS (SELECT 1 FROM modules WHERE ${IS_SAME})`,
      JSON.stringify(images),
    ),
    bind(
      // One that comes meanwhile stays with the draft.
      `UPDATE review_comments SET number = (SELECT max(number) FROM training_versions WHERE module_id = ?1)
       WHERE rowid IN (SELECT rowid FROM review_comments WHERE module_id = ?1 AND number IS NULL ORDER BY rowid LIMIT ?6)
         AND EXISTS (SELECT 1 FROM modules WHERE ${IS_SAME})`,
      seenComments ?? REVIEW_COMMENTS_MAX,
    ),
    // It ends what the condition looks at.
    bind(
      `UPDATE modules SET steps_version = steps_version + 1, ${SEE_DRAFT_VIDEO},
              published_version = (SELECT max(number) FROM training_versions WHERE module_id = ?1)
       WHERE ${IS_SAME}`,
    ),
    d1.prepare(SET_REVIEW_DATE).bind(module.id),
  ])
  return (inserted?.meta.changes ?? 0) === 1
}

/** Shows learners a stored version, or with null the draft, unless the module has changed since it was read. */
export async function showVersion(d1: D1Database, module: MadeFrom, number: number | null): Promise<boolean> {
  const query = `UPDATE modules SET steps_version = steps_version + 1, published_version = ?6, ${SEE_DRAFT_VIDEO} WHERE ${IS_SAME}`
  const [shown] = await d1.batch([
    d1.prepare(query).bind(...valuesOf(module), number),
    d1.prepare(SET_REVIEW_DATE).bind(module.id),
  ])
  return shown?.meta.changes === 1
}

const IS_TRAINED = `coalesce(known ->> '$.done', known ->> '$.reached', known ->> '$.confirmed', known ->> '$.signedOff') IS NOT NULL`

/**
 * Counts the people whom a version of a training may ask for something: whoever has done an earlier one, or, where it asks
 * for nothing, whoever is still asked for steps that it may not have any more.
 */
export async function countAsked(
  d1: D1Database,
  { id, orgId }: Pick<ModuleRow, 'id' | 'orgId'>,
  retraining: VersionRow['retraining'],
): Promise<number> {
  const isAsked = retraining === 'none' ? `known ->> '$.retraining' IS NOT NULL` : IS_TRAINED
  const query = `SELECT count(*) AS people FROM person_trainings WHERE module_id = ?1 AND org_id = ?2 AND ${isAsked}`
  const [row] = orgId === null ? [] : await listRows<{ people: number }>(d1, query, id, orgId)
  return row?.people ?? 0
}

/** Counts the people who have done a training of an organization, in whichever version, and have not left. */
export async function countTrained(d1: D1Database, { id, orgId }: Pick<ModuleRow, 'id' | 'orgId'>): Promise<number> {
  const query = `SELECT count(*) AS people FROM person_trainings JOIN people AS p ON p.org_id = ?2 AND p.id = person_id
    WHERE module_id = ?1 AND person_trainings.org_id = ?2 AND p.is_active = 1 AND ${IS_TRAINED}`
  const [row] = orgId === null ? [] : await listRows<{ people: number }>(d1, query, id, orgId)
  return row?.people ?? 0
}

const WITHOUT_NAME = sql`CASE WHEN ${trainingVersions.approval} IS NOT NULL THEN json_set(${trainingVersions.approval}, '$.name', '') END`

/** Versions that one statement leaves under another name. */
const RENAMED_MAX = 500

/** Gives the publisher of versions another name, of those by `beforeMs`. @returns false while there are more */
export async function renamePublisher(
  db: Db,
  { userId, alias, beforeMs }: { userId: string; alias: string; beforeMs: number },
): Promise<boolean> {
  const some = sql`SELECT rowid FROM ${trainingVersions}
    WHERE ${trainingVersions.userId} = ${userId} AND ${trainingVersions.publishedAt} <= ${beforeMs} LIMIT ${RENAMED_MAX}`
  const { meta } = await db
    .update(trainingVersions)
    .set({ userId: alias, approval: WITHOUT_NAME })
    .where(sql`rowid IN (${some})`)
  return meta.changes < RENAMED_MAX
}

/** Removes the versions of a module that is erased. */
export async function removeVersions(db: Db, moduleId: string): Promise<void> {
  await db.delete(trainingVersions).where(eq(trainingVersions.moduleId, moduleId))
}
