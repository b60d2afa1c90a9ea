import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './epoch-ms.ts'

/** Trainings of others that a signed-in person has opened. */
export const openedModules = sqliteTable(
  'opened_modules',
  {
    userId: text('user_id').notNull(),
    moduleId: text('module_id').notNull(),
    /** The last time. */
    openedAt: epochMs('opened_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.moduleId] }),
    index('opened_modules_by_user').on(t.userId, t.openedAt, t.moduleId),
    index('opened_modules_by_module').on(t.moduleId),
  ],
)
