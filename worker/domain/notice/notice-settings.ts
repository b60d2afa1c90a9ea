import { eq } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { type CheckpointMail, organizationSettings } from '#worker/db/share-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'

/** What an organization has set of its mails. */
interface NoticeSettings {
  sendsReminders: boolean
  checkpointMail: CheckpointMail | null
}

/** Reads what an organization has set of its mails: reminders are on until it switches them off. */
export async function readSettings(db: Db, orgId: string): Promise<NoticeSettings> {
  const { sendsReminders, checkpointMail } = organizationSettings
  const columns = { sendsReminders, checkpointMail }
  const row = await db.select(columns).from(organizationSettings).where(eq(organizationSettings.orgId, orgId)).get()
  return row ?? { sendsReminders: true, checkpointMail: null }
}

/** Stores what an organization sets of its mails. What is left out stays. */
export async function storeSettings(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  settings: Partial<NoticeSettings>,
): Promise<void> {
  await setSettings(d1, { orgId, ...settings, updatedAt: nowMs() }).run()
}
