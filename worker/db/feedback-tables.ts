import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { FeedbackAction, FeedbackKind } from '#contract/feedback.ts'
import { epochMs } from './epoch-ms.ts'

/** What people say of trainings. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: text('id').primaryKey(),
    /** Null for what never became a module. */
    moduleId: text('module_id'),
    userId: text('user_id'),
    type: text('type').$type<FeedbackKind>().notNull(),
    action: text('action').$type<FeedbackAction>(),
    context: text('context'),
    userMessage: text('user_message'),
    aiResponse: text('ai_response'),
    createdAt: epochMs('created_at').notNull(),
  },
  (t) => [
    index('feedback_by_module').on(t.moduleId, t.createdAt),
    index('feedback_by_kind').on(t.moduleId, t.type, t.action),
    index('feedback_by_user').on(t.userId, t.createdAt),
  ],
)
