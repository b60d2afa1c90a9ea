import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './epoch-ms.ts'
import { moduleColumns } from './schema.ts'

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
  ],
)

/** People who have had everything erased that is known of them, until that is done. */
export const accountErasures = sqliteTable('account_erasures', {
  userId: text('user_id').primaryKey(),
  /** Stands for them from then on, where something of theirs belongs to others. Reveals nothing of them. */
  alias: text('alias').notNull(),
  /** What came later is kept. */
  requestedAt: epochMs('requested_at').notNull(),
})
