import { and, asc, eq, getTableColumns, inArray, is, isNull, SQL, sql } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ImageName } from '#contract/image.ts'
import { nameInVideo } from '#contract/image-url.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import { removedSteps } from '#worker/db/correction-tables.ts'
import type { Db } from '#worker/db/db.ts'
import { dismissedSteps, stepProposals, steps } from '#worker/db/schema.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { videoMarkOf } from '#worker/domain/module/video-id.ts'
import type { Quoting } from './requote.ts'
import type { StepRow, StepToStore } from './tidy-section.ts'

/** What the store gives a step or a proposal; each other column holds the step's field of that name. */
const GIVEN = ['moduleId', 'position', 'addedVersion', 'decision', 'replaced']

const DIALECT = new SQLiteSyncDialect()

/** The default of a column, in SQL. */
function blankOf({ default: blank }: SQLiteColumn): string {
  if (blank === undefined) return 'NULL'
  if (is(blank, SQL)) return DIALECT.sqlToQuery(blank).sql
  return typeof blank === 'string' ? `'${blank}'` : String(Number(blank))
}

/** The fields of a step that a table keeps, with their columns, from which all SQL over whole steps is made. */
const fieldsOf = (table: SQLiteTable) =>
  Object.entries(getTableColumns(table)).flatMap(([field, column]) =>
    GIVEN.includes(field)
      ? []
      : { field, name: column.name, isJson: column.dataType === 'json', blank: blankOf(column) },
  )

const STEP_FIELDS = fieldsOf(steps)
const PROPOSAL_FIELDS = fieldsOf(stepProposals)
const namesOf = (fields: typeof STEP_FIELDS) => fields.map(({ name }) => name).join(', ')
/** Steps that an earlier version has stored as JSON have no value for a newer column. */
const valuesOf = (fields: typeof STEP_FIELDS) =>
  fields.map(({ field, isJson, blank }) => `coalesce(value${isJson ? '->' : '->>'}'${field}', ${blank})`).join(', ')
/** SQL that sets columns to what a conflicting row was to have. */
export const setExcluded = (names: readonly string[]) => names.map((name) => `${name} = excluded.${name}`).join(', ')

/** Columns that a proposal hands on to the step that it becomes. */
export const PROPOSED = PROPOSAL_FIELDS.map(({ name }) => name)

/** Describe the text that a step has, so they go with it. */
const OF_TEXT = ['ai_rewrite', 'before_rewrite', 'before_screen', 'is_manual', 'edited_at']
/** The fields that only a person writes, which a step hands on to the one that takes its place. */
export const BESIDE_TEXT = STEP_FIELDS.filter(({ name }) => !PROPOSED.includes(name) && !OF_TEXT.includes(name))

const REWRITTEN = PROPOSED.filter((name) => name !== 'id' && name !== 'run')
/** Overwrites a stored step with the run's new texts. */
const REWRITE = setExcluded(REWRITTEN)
/** SQL that is true where one of these columns changes. */
const IS_REWRITTEN = `(${REWRITTEN.join(', ')}) IS NOT (${REWRITTEN.map((name) => `excluded.${name}`).join(', ')})`

/** SQL for the version of the module `?1`'s steps after the current transaction. */
export const NEW_VERSION = '(SELECT steps_version + 1 FROM modules WHERE id = ?1)'

/**
 * Stores the steps of JSON lists for the module `?1`.
 * @param lists what gives a `key` and a `value` per step
 * @param position SQL for its place in the list
 */
export const insertSteps = (lists: string, position = 'key') => `
  INSERT INTO steps (module_id, position, added_version, ${namesOf(STEP_FIELDS)})
  SELECT ?1, ${position}, ${NEW_VERSION}, ${valuesOf(STEP_FIELDS)} FROM ${lists}`

/**
 * Stores the steps of the JSON list `?2` as proposals for the module `?1`. A condition may follow.
 * @param position SQL for its place in the list
 */
export const insertProposals = (position = 'key') => `
  INSERT INTO step_proposals (module_id, position, ${PROPOSED.join(', ')})
  SELECT ?1, ${position}, ${valuesOf(PROPOSAL_FIELDS)} FROM json_each(?2)`

/** D1 takes 32 arguments: a JSON object and as many fields with their values. */
const FIELDS_PER_CALL = 15

/** A stored step in the form that {@link insertSteps} reads. */
export const STEP_AS_JSON = Array.from({ length: Math.ceil(STEP_FIELDS.length / FIELDS_PER_CALL) }, (_, call) =>
  STEP_FIELDS.slice(call * FIELDS_PER_CALL, (call + 1) * FIELDS_PER_CALL).map(
    ({ field, name, isJson }) => `'$.${field}', ${isJson ? `json(steps.${name})` : `steps.${name}`}`,
  ),
).reduce((object, values) => `json_set(${object}, ${values.join(', ')})`, "'{}'")

/**
 * SQL that keeps the steps of the module `?1` that are about to be removed, for as long as they can be restored.
 * @param options SQL: the list of steps that stay, in JSON; the time; and a condition on `steps`
 */
export const keepRemoved = ({ kept, nowMs, where }: { kept: string; nowMs: string; where: string }) => `
  INSERT INTO removed_steps (module_id, id, removed_at, step)
  SELECT module_id, id, ${nowMs}, ${STEP_AS_JSON} FROM steps
  WHERE module_id = ?1 AND ${where} AND id NOT IN (SELECT value->>'id' FROM json_each(${kept}))
  ON CONFLICT (module_id, id) DO UPDATE SET removed_at = excluded.removed_at, step = excluded.step`

/** Removed steps of one training; the oldest go first. */
const REMOVED_STEPS_MAX = 500

/** SQL that forgets the removed steps of the module `?1` for which there is no room. */
export const FORGET_EXCESS = `
  DELETE FROM removed_steps WHERE module_id = ?1 AND rowid NOT IN (SELECT rowid FROM removed_steps
    WHERE module_id = ?1 ORDER BY removed_at DESC, id LIMIT ${REMOVED_STEPS_MAX})`

/**
 * Gives each new step of the module `?1` its place in time among the others: after the one that begins last before it.
 * The others keep their order, which may be a person's own. A condition on `steps` may follow.
 * @param isNew condition that selects the new ones of a table of steps, by its alias
 * @param among the steps of the module, from which nothing changes when there are none
 */
export const placeSteps = (isNew: (table: string) => string, among = 'steps WHERE module_id = ?1') => `
  UPDATE steps SET position = placed.place FROM (
    SELECT id AS placed_id, row_number() OVER (ORDER BY neighbour, start_ms, id) - 1 AS place FROM (
      SELECT id, start_ms, CASE WHEN ${isNew('steps')} THEN coalesce((
          SELECT other.position + 0.5 FROM steps AS other
          WHERE other.module_id = ?1 AND NOT coalesce(${isNew('other')}, 0)
            AND other.start_ms <= steps.start_ms
          ORDER BY other.start_ms DESC, other.position DESC LIMIT 1), -1)
        ELSE position END AS neighbour
      FROM ${among})) AS placed
  WHERE module_id = ?1 AND id = placed.placed_id`

/** A step that the transaction in progress has added. */
export const isAddedNow = (table: string) =>
  `${table}.added_version > (SELECT steps_version FROM modules WHERE id = ?1)`

/** Gives the module `?1` its new version, which a person makes at a time. A condition may follow. */
export const setEditedVersion = (nowMs: string) => `
  UPDATE modules SET steps_version = steps_version + 1, edited_version = steps_version + 1, updated_at = ${nowMs}
  WHERE id = ?1`

/** A step that no person has touched. */
export const IS_UNTOUCHED = 'is_manual = 0 AND edited_at IS NULL'

/** Whether a person has added or changed a step, so that no run replaces it. */
export function isTouched({ isManual, editedAt }: Pick<StepRow, 'isManual' | 'editedAt'>): boolean {
  return isManual || editedAt !== null
}

/**
 * While no person has saved the list, the steps that a run shows are in order of time, and their position is the time.
 * So a written section changes its own steps only. A save, and the end of the run, renumber all of them.
 */
export const IS_BY_TIME = '(SELECT edited_version = 0 FROM modules WHERE id = ?1)'

/**
 * Writes the steps of the JSON list `?2` into the module `?1` where no person has touched or removed them, and nothing
 * where a step is as it was.
 */
export const upsertSteps = (fence: string, position = 'key') => `${insertSteps('json_each(?2)', position)}
  WHERE ${fence} AND value->>'id' NOT IN (SELECT id FROM dismissed_steps WHERE module_id = ?1)
  ON CONFLICT (module_id, id) DO UPDATE SET ${REWRITE},
    position = CASE WHEN ${IS_BY_TIME} THEN excluded.start_ms ELSE steps.position END
  WHERE ${IS_UNTOUCHED} AND ${IS_REWRITTEN}`

/** Gives steps that a person has added or changed the chapter that the list `?2` has at their moment. A condition may follow. */
export const CHAPTER_TOUCHED = `
  UPDATE steps SET chapter = (SELECT value->>'chapter' FROM json_each(?2)
    WHERE value->>'startMs' <= steps.start_ms ORDER BY value->>'startMs' DESC LIMIT 1)
  WHERE module_id = ?1 AND chapter IS NULL AND NOT (${IS_UNTOUCHED})
    AND EXISTS (SELECT 1 FROM json_each(?2) WHERE value->>'chapter' IS NOT NULL)`

/** The steps of the module `?1`; none, and none is read, while they are in order of time. */
export const STEPS_OF_EDITED = `(SELECT steps.* FROM modules CROSS JOIN steps
  WHERE modules.id = ?1 AND modules.edited_version > 0 AND steps.module_id = modules.id) AS steps`

/** Tables with quotes of the transcript: steps and proposals. */
export type QuotingTable = 'steps' | 'step_proposals'

/** Lists the steps and proposals of a module, which quote its transcript. */
export async function listQuoting(db: Db, moduleId: string): Promise<Record<QuotingTable, Quoting[]>> {
  const quoteOf = ({ id, originalText, segmentIds }: typeof steps | typeof stepProposals) => {
    return { id, originalText, segmentIds }
  }
  const isOffered = and(eq(stepProposals.moduleId, moduleId), isNull(stepProposals.decision))
  const [ofSteps, ofProposals] = await db.batch([
    db.select(quoteOf(steps)).from(steps).where(eq(steps.moduleId, moduleId)),
    db.select(quoteOf(stepProposals)).from(stepProposals).where(isOffered),
  ])
  return { steps: ofSteps, step_proposals: ofProposals }
}

/** A quote that takes the place of another one. */
export interface NewQuote {
  id: string
  was: string
  text: string
}

/** SQL that stores quotes (`?3`, JSON) of the module `?1`, where they are still as they were. A condition may follow. */
export const storeQuotes = (table: QuotingTable) => `
  UPDATE ${table} SET original_text = quote.value->>'text' FROM json_each(?3) AS quote
  WHERE ${table}.module_id = ?1 AND ${table}.id = quote.value->>'id' AND original_text = quote.value->>'was'`

/** SQL for the moment that the image of a step is to show, as `wantedImage` of the contract names it; null for none. */
const WANTED_IMAGE = `CASE coalesce(steps.image_at, 'null') WHEN 'null' THEN 'step-' || steps.start_ms WHEN '"none"' THEN NULL
  ELSE 'at-' || CAST(round(steps.image_at * 1000) AS INTEGER) END`

/**
 * SQL for the name of that image of a step, where it is there. Names of later videos had no mark at first: such a one is of
 * the current video unless a version shows it, since nothing else of an earlier video stays.
 */
const ownImage = (mark: string | undefined) => {
  const wanted = sql.raw(WANTED_IMAGE)
  const name = sql`${nameInVideo('', mark)} || ${wanted}`
  return sql<ImageName | null>`(SELECT image.name FROM step_images AS image WHERE image.module_id = steps.module_id
    AND image.name IN (${name}, ${wanted}) AND (image.name = ${name} OR image.is_published = 0)
    ORDER BY length(image.name) DESC LIMIT 1)`
}

/** SQL for the moments of all images that the steps of the module `?1` show, and those of scenes that are still offered. */
export const IMAGES_OF_STEPS = `
  SELECT ${WANTED_IMAGE} FROM steps WHERE module_id = ?1 AND coalesce(image_at, '') <> '"none"'
  UNION ALL SELECT 'step-' || start_ms FROM step_proposals WHERE module_id = ?1 AND decision IS NULL`

/** A step with the name of its own image; null until that is there. */
export interface ShownStepRow extends StepRow {
  ownImage: ImageName | null
  videoMark: string | undefined
}

/** All steps in the order of the list, as they are shown. */
export async function listShownSteps(db: Db, module: Pick<ModuleRow, 'id' | 'sourceKey'>): Promise<ShownStepRow[]> {
  const videoMark = videoMarkOf(module)
  const columns = { ...getTableColumns(steps), ownImage: ownImage(videoMark) }
  const rows = await db.select(columns).from(steps).where(eq(steps.moduleId, module.id)).orderBy(asc(steps.position))
  return rows.map((row) => ({ ...row, videoMark }))
}

/** All steps in the order of the list. */
export function listSteps(db: Db, moduleId: string): Promise<StepRow[]> {
  return db.select().from(steps).where(eq(steps.moduleId, moduleId)).orderBy(asc(steps.position))
}

/** Ids of steps that a person has removed while their run was showing them. */
export async function listDismissed(db: Db, moduleId: string): Promise<string[]> {
  const rows = await db.select().from(dismissedSteps).where(eq(dismissedSteps.moduleId, moduleId))
  return rows.map(({ id }) => id)
}

/** All steps of several modules, by module, each in the order of its list. */
export async function listStepsOf(db: Db, moduleIds: readonly string[]): Promise<Map<string, StepRow[]>> {
  const rows = await db
    .select()
    .from(steps)
    .where(inArray(steps.moduleId, [...moduleIds]))
    .orderBy(asc(steps.position))
  return Map.groupBy(rows, ({ moduleId }) => moduleId)
}

/** How many steps each of some modules has; a module without any is not in it. */
export async function countStepsOf(db: Db, moduleIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ moduleId: steps.moduleId, count: sql<number>`count(*)` })
    .from(steps)
    .where(sql`${steps.moduleId} IN (SELECT value FROM json_each(${JSON.stringify(moduleIds)}))`)
    .groupBy(steps.moduleId)
  return new Map(rows.map(({ moduleId, count }) => [moduleId, count]))
}

/** What a run says of a step, which a person's save over it leaves. */
const OF_RUN = ['id', 'run', 'original_text', 'segment_ids', 'is_draft']
/** Columns that a person changes in a step that a run has rewritten meanwhile. */
const EDITED = STEP_FIELDS.map(({ name }) => name).filter((name) => !OF_RUN.includes(name))

/** What a save is based on, and when it happens. */
export interface SaveAt {
  moduleId: string
  /** Version that the save was based on; null saves whatever the current version is. */
  basedOn: number | null
  nowMs: number
}

/**
 * Replaces the list, as a person saved it. Steps that the pipeline has shown since the version that the save is based
 * on stay beside it; what the person left out does not come back.
 * @returns false when another person saved first; nothing has changed then
 */
export async function replaceSteps(db: D1Database, options: SaveAt, list: StepToStore[]): Promise<boolean> {
  const isFresh = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND (?3 IS NULL OR edited_version <= ?3))`
  const isKnown = '(?3 IS NULL OR added_version <= ?3)'
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(sql).bind(options.moduleId, JSON.stringify(list), options.basedOn, ...values)
  const results = await db.batch([
    bind(
      `INSERT INTO dismissed_steps (module_id, id) SELECT module_id, id FROM steps
       WHERE module_id = ?1 AND ${isFresh} AND ${isKnown}
         AND run = (SELECT run FROM modules WHERE id = ?1 AND run_status = 'PROCESSING')
         AND id NOT IN (SELECT value->>'id' FROM json_each(?2))
       ON CONFLICT DO NOTHING`,
    ),
    bind(keepRemoved({ kept: '?2', nowMs: '?4', where: `${isFresh} AND ${isKnown}` }), options.nowMs),
    db.prepare(FORGET_EXCESS).bind(options.moduleId),
    bind(`DELETE FROM steps WHERE module_id = ?1 AND ${isFresh} AND ${isKnown}`),
    bind(
      `${insertSteps('json_each(?2)')} WHERE ${isFresh}
       ON CONFLICT (module_id, id) DO UPDATE SET ${setExcluded(EDITED)}`,
    ),
    // Steps that are not in the list are sorted in by time; the list keeps its own order.
    bind(
      `${placeSteps((table) => `(${table}.added_version > ?3 AND ${table}.id NOT IN (SELECT value->>'id' FROM json_each(?2)))`)} AND ${isFresh}`,
    ),
    bind(`${setEditedVersion('?4')} AND (?3 IS NULL OR edited_version <= ?3)`, options.nowMs),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

/**
 * Replaces what is left out of the video, which is a new version of the steps.
 * @returns false when they have changed meanwhile; nothing has changed then
 */
export async function replaceCuts(db: D1Database, { moduleId, basedOn, nowMs }: SaveAt, cuts: Cuts): Promise<boolean> {
  const query = `UPDATE modules SET cuts = ?2, steps_version = steps_version + 1, updated_at = ?4
    WHERE id = ?1 AND (?3 IS NULL OR steps_version <= ?3)`
  const { meta } = await db.prepare(query).bind(moduleId, JSON.stringify(cuts), basedOn, nowMs).run()
  return meta.changes === 1
}

/** Removes everything that belongs to the steps of a module that is erased. */
export async function removeSteps(db: Db, moduleId: string): Promise<void> {
  for (const table of [steps, stepProposals, dismissedSteps, removedSteps])
    await db.delete(table).where(eq(table.moduleId, moduleId))
}
