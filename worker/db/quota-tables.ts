import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { QuotaKind } from '#contract/quota.ts'
import { epochMs } from './epoch-ms.ts'

/** What counts against the quotas of a day. Rows outlive their module, or a person could delete it to start over. */
export const quotaUses = sqliteTable(
  'quota_uses',
  {
    /** The module; of what a person counts for alone (`USER_ROWS_PER_DAY`), that person. */
    moduleId: text('module_id').notNull(),
    kind: text('kind').$type<QuotaKind>().notNull(),
    /** `2026-11-21`, UTC. */
    day: text('day').notNull(),
    userId: text('user_id').notNull(),
    /** The organization that the module belongs to; null for none. */
    orgId: text('org_id'),
    /** Modules, milliseconds of video, millionths of a US dollar, bytes, or a count. */
    amount: integer('amount').notNull(),
    /** When `refund` is taken off, because no address takes bytes any more by then; null for never. */
    refundAt: epochMs('refund_at'),
    refund: integer('refund').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.kind, t.day] }),
    // A sum is read from nothing but these.
    index('quota_uses_by_user').on(t.userId, t.kind, t.day, t.amount),
    index('quota_uses_by_org').on(t.orgId, t.kind, t.day, t.amount),
    // The sweep looks for them every minute, and mostly there are none.
    index('quota_uses_to_refund').on(t.refundAt).where(sql`refund_at IS NOT NULL`),
  ],
)
