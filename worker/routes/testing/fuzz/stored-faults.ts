import { z } from 'zod'
import { CollectionPatch } from '#contract/collection.ts'
import { SubmitFeedback, SubmitImprovement } from '#contract/feedback/feedback.ts'
import { ModulePatch } from '#contract/module.ts'
import { ScreenCorrection } from '#contract/screen.ts'
import { StepInput } from '#contract/step.ts'
import { WebhookEdit } from '#contract/team/notifications.ts'
import { PersonEmail } from '#contract/team/people.ts'
import { CorrectSegment } from '#contract/transcript.ts'
import { TutorQuestion } from '#contract/tutor.ts'
import { PartArrived } from '#contract/upload.ts'

type Row = Record<string, unknown>

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is no JSON' })
    return z.NEVER
  }
})
const seconds = z.number().min(0).max(86_400)
const ranges = json.pipe(z.array(z.tuple([z.number().int().min(0), z.number().int()])))
const epochMs = z.number().int().min(0).nullable()
const inSeconds = (ms: unknown) => (typeof ms === 'number' ? ms / 1_000 : ms)

/** How a row of a table looks to the contract that its values came through. */
const ROWS: Record<string, { query: string; schema: z.ZodType; read?: (row: Row) => unknown }> = {
  modules: {
    query: 'SELECT id, title, shared, language, glossary, audio_track, completion_percent, created_at FROM modules',
    schema: ModulePatch.safeExtend({ id: z.string().min(1).max(64), createdAt: epochMs }),
    read: ({ audio_track: audioTrack, completion_percent: completionPercent, created_at: createdAt, ...row }) => ({
      ...row,
      audioTrack,
      completionPercent,
      createdAt,
      shared: row['shared'] === 1,
      glossary: row['glossary'] ?? '',
    }),
  },
  steps: {
    query: 'SELECT * FROM steps',
    schema: StepInput,
    read: (row) => ({
      id: row['id'],
      title: row['title'],
      description: row['description'],
      start: inSeconds(row['start_ms']),
      end: inSeconds(row['end_ms']),
      aliases: json.parse(row['aliases']),
      notes: row['notes'],
      isManual: row['is_manual'] === 1,
      originalText: row['original_text'],
      aiRewrite: row['ai_rewrite'],
      beforeRewrite: row['before_rewrite'],
      callouts: json.parse(row['callouts']),
      proposedCallouts: json.parse(row['proposed_callouts']),
    }),
  },
  collections: {
    query: 'SELECT title, module_ids FROM collections',
    schema: CollectionPatch,
    read: ({ title, module_ids: moduleIds }) => ({ title, moduleIds: json.parse(moduleIds) }),
  },
  transcript_corrections: {
    query: 'SELECT text FROM transcript_corrections',
    schema: CorrectSegment,
  },
  screen_corrections: {
    query: 'SELECT * FROM screen_corrections',
    schema: ScreenCorrection,
    read: (row) => ({
      readText: row['read_text'],
      startMs: row['start_ms'],
      endMs: row['end_ms'],
      text: row['text'],
      kind: row['kind'],
      isHidden: row['is_hidden'] === 1,
    }),
  },
  feedback: {
    query: 'SELECT * FROM feedback',
    schema: z.union([SubmitFeedback, SubmitImprovement]),
    read: (row) => ({
      type: row['type'],
      action: row['action'] ?? undefined,
      moduleId: row['module_id'],
      feedback: row['user_message'],
      userMessage: row['user_message'],
      aiResponse: row['ai_response'],
      context: row['context'],
    }),
  },
  questions: {
    query: 'SELECT module_id, question, video_time_ms, turn_id FROM questions',
    schema: TutorQuestion,
    read: (row) => ({
      moduleId: row['module_id'],
      userMessage: row['question'],
      videoTime: inSeconds(row['video_time_ms']),
      turnId: row['turn_id'],
    }),
  },
  learners: {
    query: 'SELECT seen, again, verified, position_s FROM learners',
    schema: z.object({ seen: ranges, again: ranges, verified: ranges, position_s: seconds }),
  },
  learning_sessions: {
    query: 'SELECT session_id, seq, position_s FROM learning_sessions',
    schema: z.object({ session_id: z.string(), seq: z.number().int().min(1).max(1_000_000), position_s: seconds }),
  },
  webhooks: { query: 'SELECT url FROM webhooks', schema: WebhookEdit },
  people: {
    query: 'SELECT email FROM people WHERE email IS NOT NULL',
    schema: z.object({ email: PersonEmail }),
  },
  upload_parts: {
    query: 'SELECT part, etag, size_bytes AS sizeBytes FROM upload_parts',
    schema: PartArrived.extend({ part: z.number().int().min(1).max(10_000) }),
  },
}

/** Rows that the contract would have refused, a sentence each. */
export function findStoredFaults(table: string, rows: readonly Row[]): string[] {
  const known = ROWS[table]
  if (known === undefined) throw new Error(`table ${table} has no row schema in ROWS`)
  return rows.flatMap((row) => {
    const [issue] = known.schema.safeParse(known.read?.(row) ?? row).error?.issues ?? []
    return issue === undefined
      ? []
      : [`${table}: ${issue.path.join('.')}: ${issue.message}: ${JSON.stringify(row).slice(0, 300)}`]
  })
}

/** Reads the tables that calls write to, and what in them the contract would have refused. */
export async function checkTables(d1: D1Database): Promise<string[]> {
  const faults: string[] = []
  for (const [table, { query }] of Object.entries(ROWS)) {
    const { results } = await d1.prepare(query).all<Row>()
    faults.push(...findStoredFaults(table, results))
  }
  return faults
}
