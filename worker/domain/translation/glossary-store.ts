import { eq } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addTranslateTasks, LANGUAGES_JSON } from '#worker/domain/module/translate-tasks.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { ring } from '#worker/tasks/ring.ts'
import { spokenWords } from './glossary.ts'

/** Reads the glossary that an organization shares among its modules; empty where it has none. */
export async function readOrgGlossary(db: Db, orgId: string): Promise<string> {
  const [row] = await db.select().from(organizationSettings).where(eq(organizationSettings.orgId, orgId))
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
    setSettings(d1, { orgId, words, updatedAt: nowMs }),
    d1
      .prepare(
        addTranslateTasks({ languages: '?2', dueMs: '?3', where: `m.id IN (${TRANSLATED}) AND m.status = 'READY'` }),
      )
      .bind(orgId, LANGUAGES_JSON, nowMs),
  ])
  await ring(context, 'translate')
}
