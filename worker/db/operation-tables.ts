import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { QuotaKind } from '#contract/problem.ts'
import { epochMs, moduleColumns } from './schema.ts'

/**
 * Modules that were deleted, whole, until they are restored or erased. They lie apart, so that no query of modules can
 * come upon one, and no write of a job reaches it.
 */
export const deletedModules = sqliteTable(
  'deleted_modules',
  {
    ...moduleColumns,
    deletedAt: epochMs('deleted_at').notNull(),
    /** Cannot be restored: its upload was given up, its account was erased, or its time is over. */
    isFinal: integer('is_final', { mode: 'boolean' }).notNull().default(false),
    /** When erasing it was last begun; null where it was not, or has got on. */
    eraseTriedAt: epochMs('erase_tried_at'),
  },
  (t) => [
    index('deleted_modules_by_user').on(t.userId, t.deletedAt),
    index('deleted_modules_by_org').on(t.orgId, t.deletedAt),
    index('deleted_modules_by_source').on(t.sourceKey),
    index('deleted_modules_by_age').on(t.isFinal, t.deletedAt),
    index('deleted_modules_by_editor').on(t.editedBy).where(sql`edited_by IS NOT NULL`),
  ],
)

/** A part of a video that has arrived, of an upload that has not been completed. */
export const uploadParts = sqliteTable(
  'upload_parts',
  {
    moduleId: text('module_id').notNull(),
    part: integer('part').notNull(),
    etag: text('etag').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.part] })],
)

/** People who have had everything erased that is known of them, until that is done. */
export const accountErasures = sqliteTable('account_erasures', {
  userId: text('user_id').primaryKey(),
  /** Stands for them from then on, where something of theirs belongs to others. Reveals nothing of them. */
  alias: text('alias').notNull(),
  /** What came later is kept. */
  requestedAt: epochMs('requested_at').notNull(),
  /** When a sweep last took it; null before, and where one had no queries left for it. */
  triedAt: epochMs('tried_at'),
})

/** What counts against the quotas of a day. Rows outlive their module, or a person could delete it to start over. */
export const quotaUses = sqliteTable(
  'quota_uses',
  {
    /** The module; of what a person counts for alone (`USER_ROWS_PER_DAY`), that person. */
    moduleId: text('module_id').notNull(),
    kind: text('kind').$type<QuotaKind | 'mails'>().notNull(),
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
    // Also names what was dearest on a day.
    index('quota_uses_by_day').on(t.day, t.kind, t.amount),
    // The sweep looks for them every minute, and mostly there are none.
    index('quota_uses_to_refund').on(t.refundAt).where(sql`refund_at IS NOT NULL`),
  ],
)

/** How the latest calls of parts ended that cannot be asked how they are: models, and the sweep. A row each. */
export const outcomes = sqliteTable('outcomes', {
  part: text('part').primaryKey(),
  okAt: epochMs('ok_at'),
  failedAt: epochMs('failed_at'),
  /** Why it failed then. */
  code: text('code'),
})
