import { createHash } from 'node:crypto'
import type { ServedWorker } from '../serve.ts'

/** How many modules a system holds: those of usual owners, and those of one that has many. */
export interface Size {
  owners: number
  modulesEach: number
  ofOne: number
}

export const modulesOf = ({ owners, modulesEach, ofOne }: Size) => owners * modulesEach + ofOne

/** Subjects of tokens. The first usual owner is the one that asks. */
export const USUAL = 'scale.owner.0'
export const MANY = 'scale.owner.many'
export const OPERATOR = 'scale.the.operator'
/** The first module of the first usual owner. */
export const MODULE_ID = 'scalemodule00000000000'

export const LEARNERS_EACH = 10
/** Of a module, which is what a page reads; how many steps a video really has is for other benches. */
const STEPS_EACH = 6
const RUNS_FOR_MS = 30 * 24 * 60 * 60_000
/** At one moment, however many there have been. */
const AT_WORK = 20
/** Far from the time that one statement may take. */
const MODULES_AT_ONCE = 5_000

/** D1 binds every number as a real one. ?1 and ?2: from which number to before which one; ?3 owners, ?4 modules of usual owners, ?5 all modules, ?6 now, ?7 how long they have been coming. */
const NUMBERS = `WITH RECURSIVE numbers(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2 - 1),
  made(n, id, user_id, at, state) AS (SELECT n, printf('scalemodule%011d', n),
    iif(n < ?4, 'scale.owner.' || (n % CAST(?3 AS INTEGER)), '${MANY}'), CAST(?6 AS INTEGER) - 60000 - CAST((n * 7919 % ?5) * (?7 / ?5) AS INTEGER),
    iif(n % 32 = 7, 'FAILED', iif(n % CAST(?5 / ${AT_WORK} AS INTEGER) = 3, 'PROCESSING', 'READY')) FROM numbers)`
const OF_STEPS = `, places(at_step) AS (SELECT 0 UNION ALL SELECT at_step + 1 FROM places WHERE at_step < ${STEPS_EACH - 1})`
const OF_LEARNERS = `, places(who) AS (SELECT 0 UNION ALL SELECT who + 1 FROM places WHERE who < ${LEARNERS_EACH - 1})`

const MODULES = `INSERT INTO modules (id, user_id, title, title_folded, filename, status, run_status, progress, message,
    failure_code, source_key, declared_type, source_etag, source_size_bytes, source_type, run, created_at, received_at,
    uploaded_at, updated_at, duration_ms, transcript_key, transcript_run, segment_count, steps_version, made_version, indexed_version)
  SELECT id, user_id, 'How to change the roll ' || n, 'how to change the roll ' || n, 'roll-' || n || '.mp4', state, state, 100,
    'Ready', iif(state = 'FAILED', 'no_speech', NULL), 'src/' || id || '/source', 'video/mp4', 'etag', 1000000, 'video/mp4', 1,
    at, at, at, iif(state = 'PROCESSING', ?6 + ?7, at), 600000, NULL, NULL, 0, 1, 1, 1 FROM made`

/** What comes with a module: its run and steps, what people asked, said and watched, and what is counted of them. */
const ROWS = [
  MODULES,
  `INSERT INTO runs (module_id, run, "trigger", cursor_ms, chunk_count, started_at, admitted_at, ended_at, outcome, transcribed_ms, written_sections)
   SELECT id, 1, 'upload', 600000, 20, at, at, iif(state = 'PROCESSING', NULL, at),
     iif(state = 'READY', 'ready', iif(state = 'FAILED', 'failed', NULL)), 600000, 5 FROM made`,
  // What has failed within a week keeps its audio, and what is at work has some.
  `INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, start_ms, end_ms)
   SELECT id, 1, 0, 'audio/' || id, 'audio/mp4', 0, 30000, 0, 30000 FROM made
   WHERE state = 'PROCESSING' OR (state = 'FAILED' AND at > ?6 - 7 * 86400000 + 3600000)`,
  `INSERT INTO questions (id, module_id, user_id, turn_id, question, answer, is_covered, answered_by, outcome, created_at, ended_at)
   SELECT 'q-' || id, id, 'scale.learner.' || n % 5000, 'turn-' || n, 'Where is the lever?', 'Under the lid.', 1, 'steps', 'done', at, at FROM made`,
  `INSERT INTO feedback (id, module_id, user_id, type, action, created_at)
   SELECT 'f-' || id, id, 'scale.learner.' || n % 5000, 'ai_tutor', 'like', at FROM made`,
  `INSERT INTO tutor_days (module_id, day, model_answers) SELECT id, strftime('%Y-%m-%d', at / 1000, 'unixepoch'), 3 FROM made`,
  `INSERT INTO quota_uses (module_id, kind, day, user_id, amount)
   SELECT id, 'modules', strftime('%Y-%m-%d', at / 1000, 'unixepoch'), user_id, 1 FROM made WHERE at > ?6 - 86400000`,
  `INSERT INTO quota_uses (module_id, kind, day, user_id, amount)
   SELECT id, 'ai', strftime('%Y-%m-%d', at / 1000, 'unixepoch'), user_id, 8000 + n FROM made WHERE at > ?6 - 86400000`,
  `INSERT INTO quota_uses (module_id, kind, day, user_id, amount)
   SELECT 'everyone', 'ai', strftime('%Y-%m-%d', at / 1000, 'unixepoch'), 'everyone', sum(8000 + n) FROM made WHERE true GROUP BY 3
   ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
  `INSERT INTO opened_modules (user_id, module_id, opened_at)
   SELECT 'scale.owner.' || (n * 31 + 1) % CAST(?3 AS INTEGER), id, at FROM made WHERE n % 5 = 0`,
]
const STEP_ROWS = `INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, original_text)
  SELECT id, 'step-' || at_step, at_step, 'Step ' || at_step, 'Press the latch on the right side and lift the cover.',
    at_step * 100000, (at_step + 1) * 100000, 'so you press the latch here on the right' FROM made, places`
const LEARNER_ROWS = `INSERT INTO learners (module_id, learner_id, seen, seen_seconds, first_at, last_at, version)
  SELECT id, 'anyone:' || n || '-' || who, '[[0,300]]', 300, at, at, 1 FROM made, places`

const STEP_TEXT = 'press the latch on the right side and lift the cover'
const SAID_TEXT =
  'so you press the latch here on the right until it clicks then pull the old paper out and put a new roll with its end'

/** What the search index holds of them, as `writeIndexed` writes words. What is said names the module's number. */
const PASSAGES = `INSERT INTO passages (module_id, position, start_ms, step, lines, said)
  SELECT id, at_step, at_step * 100000, 'Step ' || at_step, json_array('${STEP_TEXT}'),
    json_array(json_array(at_step * 100000, '${SAID_TEXT} number' || n)) FROM made, places`
const coded = (text: string) => `replace(' ${text}', ' ', ' ' || code)`
const WORDS = `INSERT INTO words (rowid, module, step, said)
  SELECT passages.id, ${coded('how to change the roll')}, ${coded(`step ${STEP_TEXT}`)},
    ${coded(`${SAID_TEXT} number`)} || n FROM made
  JOIN owner_codes ON owner_codes.user_id = made.user_id JOIN passages ON passages.module_id = made.id`

/** As `codeOf` of the search makes it, which needs the types of the worker's runtime. */
const codeOf = (owner: string) => createHash('sha256').update(owner).digest('hex').slice(0, 10)

async function seedCodes(worker: ServedWorker, { owners }: Size): Promise<void> {
  const names = [MANY, ...Array.from({ length: owners }, (_, owner) => `scale.owner.${owner}`)]
  const codes = names.map((name) => [name, codeOf(`user_id:${name}`)])
  await worker.searchSql('CREATE TABLE owner_codes (user_id TEXT PRIMARY KEY, code TEXT NOT NULL)')
  const insert = `INSERT INTO owner_codes SELECT value->>0, value->>1 FROM json_each(?1)`
  await worker.searchSql(insert, JSON.stringify(codes))
}

/** Deleted a day ago: what is still to be had back. */
const DELETE_SOME = `INSERT INTO deleted_modules SELECT *, ?1, 0, NULL FROM (SELECT * FROM modules WHERE id LIKE '%99')`

/** Fills the database as a month of use would have. */
export async function seedModules(worker: ServedWorker, size: Size): Promise<void> {
  const all = modulesOf(size)
  const nowMs = Date.now()
  // The first sweep makes the index.
  await worker.ask('/api/bench/sweep', {})
  await seedCodes(worker, size)
  for (let from = 0; from < all; from += MODULES_AT_ONCE) {
    const to = Math.min(all, from + MODULES_AT_ONCE)
    const values = [from, to, size.owners, size.owners * size.modulesEach, all, nowMs, RUNS_FOR_MS] as const
    const statements = [...ROWS.map((sql) => ` ${sql}`), `${OF_STEPS} ${STEP_ROWS}`, `${OF_LEARNERS} ${LEARNER_ROWS}`]
    for (const sql of statements) await worker.sql(NUMBERS + sql, ...values)
    await worker.searchSql(`${NUMBERS}${OF_STEPS} ${PASSAGES}`, ...values)
    await worker.searchSql(`${NUMBERS} ${WORDS}`, ...values)
  }
  await worker.sql(DELETE_SOME, nowMs - 86_400_000)
  await worker.sql(`DELETE FROM modules WHERE id IN (SELECT id FROM deleted_modules)`)
}
