import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ScreenKind } from '#contract/screen.ts'
import { epochMs } from './schema.ts'

/**
 * What people, or names on the screen, made of lines of a transcript. A later run's lines take it over where the same was said
 * (docs/decisions/transcripts-and-new-versions.md).
 */
export const transcriptCorrections = sqliteTable(
  'transcript_corrections',
  {
    moduleId: text('module_id').notNull(),
    /** The line that was corrected, of whichever run. */
    segmentId: text('segment_id').notNull(),
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    transcribedText: text('transcribed_text').notNull(),
    text: text('text').notNull(),
    /** The text with the names that the screen shows, where these have repaired it; another `text` is a person's. */
    screenText: text('screen_text'),
    editedAt: epochMs('edited_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.segmentId] })],
)

/** What owners made of texts of a screen. A later reading takes it over where it has the same text at the same time. */
export const screenCorrections = sqliteTable(
  'screen_corrections',
  {
    moduleId: text('module_id').notNull(),
    readText: text('read_text').notNull(),
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    text: text('text'),
    kind: text('kind').$type<ScreenKind>(),
    isHidden: integer('is_hidden', { mode: 'boolean' }).notNull().default(false),
    editedAt: epochMs('edited_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.startMs, t.readText] })],
)

/** Steps that people have removed, for as long as they can be restored. */
export const removedSteps = sqliteTable(
  'removed_steps',
  {
    moduleId: text('module_id').notNull(),
    id: text('id').notNull(),
    removedAt: epochMs('removed_at').notNull(),
    /** As `STEP_AS_JSON` writes it. */
    step: text('step').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.id] }), index('removed_steps_by_time').on(t.removedAt)],
)
