import { sql } from 'drizzle-orm'
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AudioPart } from '#media/audio-chunk.ts'
import { epochMs } from './schema.ts'

/** A chunk of a source's audio, cut out and transcribed on its own. Rows are the join of the fan-out. */
export const audioChunks = sqliteTable(
  'audio_chunks',
  {
    moduleId: text('module_id').notNull(),
    run: integer('run').notNull(),
    chunk: integer('chunk').notNull(),
    key: text('key').notNull(),
    contentType: text('content_type').notNull(),
    /** Time in the video at which the chunk's audio begins and how long it lasts, overlap included. */
    audioStartMs: integer('audio_start_ms').notNull(),
    audioDurationMs: integer('audio_duration_ms').notNull(),
    sizeBytes: integer('size_bytes').notNull().default(0),
    /** Of the object that was checked; no other one is transcribed. */
    etag: text('etag'),
    /** The span that this chunk's words are taken from. */
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    /** The files in the object behind the first, which the columns above describe. */
    parts: text('parts', { mode: 'json' }).$type<AudioPart[]>().notNull().default(sql`'[]'`),
    status: text('status').$type<'planned' | 'transcribed'>().notNull().default('planned'),
    /** JSON of TranscribedWord[] relative to `audioStartMs`; null until transcribed. */
    words: text('words'),
    /**
     * JSON of Answers: what was said in some of its files, or in halves of them, in an attempt that failed at a later
     * one. Null once it is transcribed.
     */
    voices: text('voices'),
    confidence: real('confidence'),
    language: text('language'),
    transcribedAt: epochMs('transcribed_at'),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.run, t.chunk] })],
)
