import { eq } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { type CheckpointMail, glossaries } from '#worker/db/share-tables.ts'

/** What an organization has set of its mails. */
interface NoticeSettings {
  sendsReminders: boolean
  checkpointMail: CheckpointMail | null
}

/** Reads what an organization has set of its mails: reminders are on until it switches them off. */
export async function readSettings(db: Db, orgId: string): Promise<NoticeSettings> {
  const { sendsReminders, checkpointMail } = glossaries
  const columns = { sendsReminders, checkpointMail }
  const row = await db.select(columns).from(glossaries).where(eq(glossaries.orgId, orgId)).get()
  return row ?? { sendsReminders: true, checkpointMail: null }
}

/** Stores what an organization sets of its mails. What is left out stays. */
export async function storeSettings(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  orgId: string,
  settings: Partial<NoticeSettings>,
): Promise<void> {
  const set = { ...settings, updatedAt: nowMs() }
  await db
    .insert(glossaries)
    .values({ orgId, words: '', ...set })
    .onConflictDoUpdate({ target: glossaries.orgId, set })
}
