import { eq } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import { type Db, runSql } from '#worker/db/db.ts'
import { glossaries } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addTranslateTasks, LANGUAGES_JSON } from '#worker/domain/module/translate-tasks.ts'
import { ring } from '#worker/tasks/ring.ts'
import { spokenWords } from './glossary.ts'

/** Reads the glossary that an organization shares among its modules; empty where it has none. */
export async function readOrgGlossary(db: Db, orgId: string): Promise<string> {
  const [row] = await db.select().from(glossaries).where(eq(glossaries.orgId, orgId))
  return row?.words ?? ''
}

/** Reads the glossary of a module with that of its organization behind it; null where both are empty. */
export async function readGlossary(
  db: Db,
  { glossary, orgId }: Pick<ModuleRow, 'glossary' | 'orgId'>,
): Promise<string | null> {
  const shared = orgId === null ? '' : await readOrgGlossary(db, orgId)
  return shared === '' ? glossary : [glossary ?? '', shared].filter(Boolean).join('\n')
}

/** Reads the words of that glossary as they are spoken, for models that transcribe or read the training. */
export async function readSpokenWords(db: Db, module: Pick<ModuleRow, 'glossary' | 'orgId'>): Promise<string | null> {
  return spokenWords(await readGlossary(db, module))
}

const OF_ORG = 'WHERE org_id = glossaries.org_id'
const UNUSED = ['modules', 'deleted_modules', 'collections']
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} ${OF_ORG})`)
  .join(' AND ')

/**
 * Removes glossaries of organizations that have neither modules, deleted ones among them, nor collections, and that were
 * not written since: the end of an organization is not announced. Who wants no screen read, has rules about what is
 * published, or has ever recorded a training is not forgotten: its list of records continues where it has ended.
 */
export function removeUnusedGlossaries(d1: D1Database, beforeMs: number): Promise<number> {
  const isDefault = `reads_screen = 1 AND publishers = 'anyone' AND publishes_versions = 0 AND time_zone IS NULL
    AND checkpoint_seq = 0 AND records_from = 1 AND record_months IS NULL AND record_hold IS NULL
    AND sends_reminders = 1 AND checkpoint_mail IS NULL`
  return runSql(d1, `DELETE FROM glossaries WHERE updated_at < ?1 AND ${isDefault} AND ${UNUSED}`, beforeMs)
}

/** How many modules a new glossary is put into at once; each has a task per language. */
const RENEWED_MODULES = 100

/** Modules of the organization `?1` that are translated, the newest first. */
const TRANSLATED = `SELECT id FROM modules WHERE org_id = ?1 AND languages <> '[]'
  ORDER BY created_at DESC LIMIT ${RENEWED_MODULES}`

/**
 * Stores the glossary of an organization, and has the translations of its newest modules looked at again. Older ones have
 * its words from their next change on.
 */
export async function storeOrgGlossary(
  context: Pick<Context, 'd1' | 'queues' | 'nowMs'>,
  { orgId, words }: { orgId: string; words: string },
): Promise<void> {
  const { d1 } = context
  const nowMs = context.nowMs()
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO glossaries (org_id, words, updated_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (org_id) DO UPDATE SET words = excluded.words, updated_at = excluded.updated_at`,
      )
      .bind(orgId, words, nowMs),
    d1
      .prepare(
        addTranslateTasks({ languages: '?2', dueMs: '?3', where: `m.id IN (${TRANSLATED}) AND m.status = 'READY'` }),
      )
      .bind(orgId, LANGUAGES_JSON, nowMs),
  ])
  await ring(context, 'translate')
}
