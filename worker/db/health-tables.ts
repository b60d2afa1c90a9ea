import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './epoch-ms.ts'

/** How the latest calls of parts ended that cannot be asked how they are: models, and the sweep. A row each. */
export const outcomes = sqliteTable('outcomes', {
  part: text('part').primaryKey(),
  okAt: epochMs('ok_at'),
  failedAt: epochMs('failed_at'),
  /** Why it failed then. */
  code: text('code'),
})
