import { and, eq, inArray, notLike, sql } from 'drizzle-orm'
import type { LanguageTag } from '#contract/languages.ts'
import type { Db } from '#worker/db/db.ts'
import { translations } from '#worker/db/share-tables.ts'
import { moduleSubjectOf } from '#worker/domain/module/module-subject.ts'
import type { Task } from '#worker/tasks/task.ts'
import { bindOwn, HOLDS_LEASE, holdsLease, removeTasks } from '#worker/tasks/task-store.ts'

/** A part of a training in another language, as it is stored. */
export type TranslationRow = typeof translations.$inferSelect

/** The row that keeps why the last attempt at a language failed. */
export const FAILURE_ITEM = '*'
/** Writer of texts that a person has written. */
export const PERSON = 'person'

const isOf = (moduleId: string, language: LanguageTag) =>
  and(eq(translations.moduleId, moduleId), eq(translations.language, language))

const isNamed = (items: readonly string[]) =>
  sql`${translations.item} IN (SELECT value FROM json_each(${JSON.stringify(items)}))`

/** Lists the stored parts of one language; `page` leaves out captions and answers, of which there may be many. */
export function listTranslations(
  db: Db,
  { moduleId, language }: { moduleId: string; language: LanguageTag },
  of: 'all' | 'page' = 'all',
): Promise<TranslationRow[]> {
  const isPage =
    of === 'page' ? and(notLike(translations.item, 'captions:%'), notLike(translations.item, 'answer:%')) : undefined
  return db
    .select()
    .from(translations)
    .where(and(isOf(moduleId, language), isPage))
}

/** Lists some stored parts of one language, while that is switched on. */
export function listChosenTranslations(
  db: Db,
  { moduleId, language, items }: { moduleId: string; language: LanguageTag; items: readonly string[] },
): Promise<TranslationRow[]> {
  const isOn = sql`EXISTS (SELECT 1 FROM modules AS m, json_each(m.languages) AS chosen
    WHERE m.id = ${moduleId} AND chosen.value = ${language})`
  return db
    .select()
    .from(translations)
    .where(and(isOf(moduleId, language), isNamed(items), isOn))
}

/** Lists the stored parts of some modules in all languages. */
export function listAllTranslations(db: Db, moduleIds: readonly string[]): Promise<TranslationRow[]> {
  return db
    .select()
    .from(translations)
    .where(inArray(translations.moduleId, [...moduleIds]))
}

/** Lists in which languages anything of a training can be read. */
export async function listReadable(db: Db, moduleId: string): Promise<LanguageTag[]> {
  const rows = await db
    .selectDistinct({ language: translations.language })
    .from(translations)
    .where(and(eq(translations.moduleId, moduleId), inArray(translations.state, ['good', 'rough', 'approved'])))
  return rows.map(({ language }) => language)
}

/** The columns of a part that one statement writes. */
type Written = Omit<TranslationRow, 'earlier'>

/**
 * Makes the statement that stores what a model has written for a task, while the language is switched on. What a person
 * wrote of the same source stays; of another source it is kept beside, to be compared.
 */
export function storeTranslations(d1: D1Database, task: Task, rows: readonly Written[]): D1PreparedStatement {
  const query = `INSERT INTO translations (module_id, language, item, source_hash, texts, writer, state, complaints, written_at)
    SELECT value->>'moduleId', value->>'language', value->>'item', value->>'sourceHash', value->'texts',
           value->>'writer', value->>'state', value->'complaints', value->>'writtenAt'
    FROM json_each(?6)
    WHERE ${HOLDS_LEASE} AND EXISTS (SELECT 1 FROM modules AS m, json_each(m.languages) AS chosen
                  WHERE m.id = json_each.value->>'moduleId' AND chosen.value = json_each.value->>'language')
    ON CONFLICT (module_id, language, item) DO UPDATE SET source_hash = excluded.source_hash, texts = excluded.texts,
      writer = excluded.writer, state = excluded.state, complaints = excluded.complaints,
      written_at = excluded.written_at,
      earlier = CASE WHEN translations.writer = '${PERSON}' THEN translations.texts ELSE translations.earlier END
    WHERE translations.writer <> '${PERSON}' OR translations.source_hash <> excluded.source_hash`
  return bindOwn(d1, task, query, JSON.stringify(rows))
}

/** Stores what a person has written of a part: it is approved with that, and nothing is left to compare. */
export async function storeEdit(db: Db, row: Omit<Written, 'writer' | 'state' | 'complaints'>): Promise<void> {
  const { texts, sourceHash, writtenAt } = row
  const approved = { writer: PERSON, state: 'approved' as const, complaints: [], earlier: null }
  const edit = { texts, sourceHash, writtenAt, ...approved }
  await db
    .insert(translations)
    .values({ ...row, ...edit })
    .onConflictDoUpdate({ target: [translations.moduleId, translations.language, translations.item], set: edit })
}

/** Approves parts as they are, those that learners read. */
export async function approve(
  db: Db,
  { moduleId, language, items }: { moduleId: string; language: LanguageTag; items: readonly TranslationRow[] },
): Promise<void> {
  const names = JSON.stringify(items.map(({ item, sourceHash }) => `${item}/${sourceHash}`))
  const isMeant = sql`${translations.item} || '/' || ${translations.sourceHash} IN (SELECT value FROM json_each(${names}))`
  await db
    .update(translations)
    .set({ state: 'approved', complaints: [], earlier: null })
    .where(and(isOf(moduleId, language), isMeant))
}

/** Removes translated parts whose source was removed, for a task. */
export async function removeItems(
  db: Db,
  { task, language, items }: { task: Task; language: LanguageTag; items: readonly string[] },
): Promise<void> {
  await db.delete(translations).where(and(isOf(task.subjectId, language), isNamed(items), holdsLease(task)))
}

/** Removes all translations and translation tasks of a module that is erased. */
export async function removeTranslations(db: Db, moduleId: string): Promise<void> {
  await db.batch([
    db.delete(translations).where(eq(translations.moduleId, moduleId)),
    removeTasks(db, moduleSubjectOf(moduleId)),
  ])
}
