import { and, asc, between, eq, lt, sql } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import type { TranscriptAnswer, TranscriptSegment } from '#contract/transcript.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { transcriptCorrections } from '#worker/db/correction-tables.ts'
import { type Db, runSql } from '#worker/db/db.ts'
import { type FormedSegment, modules, runs, sections } from '#worker/db/schema.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { logLine } from '#worker/log/log.ts'

/** One line of a transcript as it is read. Times are milliseconds. */
export interface Segment extends FormedSegment {
  id: string
  position: number
  /** The transcribed or captioned text, where a person or the screen has corrected it; otherwise null. */
  transcribedText: string | null
  /** What was transcribed, where names on the screen have repaired it and no person has changed that. */
  heard?: Pick<FormedSegment, 'text' | 'unsure' | 'guessed'>
  /** Whether a person has decided what it says, were it as it was transcribed. */
  isDecided?: true
  /** Under which line its correction is kept, or would be. */
  correctionId: string
}

/** What a person, or the screen, made of one line. */
export type Correction = typeof transcriptCorrections.$inferSelect

/** The transcript of a module in time order, and the corrections of earlier runs that match none of its lines. */
export interface Transcript {
  segments: Segment[]
  orphaned: Correction[]
}

/** What the row of a module, deleted or not, says of its transcript. */
export type TranscriptOf = Pick<typeof modules.$inferSelect, 'id' | 'captionsKey' | 'transcriptKey' | 'transcriptRun'>

/** What names a run. */
interface TranscribedBy {
  moduleId: string
  run: number
}

/** The run number of captions, which no run transcribed. */
export const CAPTIONS_RUN = 0

/** Says where a transcript comes from; null while there is none. */
export function sourceOf({ transcriptRun }: Pick<TranscriptOf, 'transcriptRun'>): TranscriptAnswer['source'] {
  if (transcriptRun === null) return null
  return transcriptRun === CAPTIONS_RUN ? 'captions' : 'speech'
}

/** Where the transcripts of a module lie. An object never changes; the module's row says which one is true. */
export function transcriptsOf(moduleId: string): string {
  return `transcripts/${moduleId}/`
}

/**
 * Stores what a run has transcribed, before the end of the run names it. Two callers that end the same run write the
 * same bytes.
 * @returns its key
 */
export async function putTranscript(bucket: R2Bucket, by: TranscribedBy, segments: FormedSegment[]): Promise<string> {
  const key = `${transcriptsOf(by.moduleId)}${by.run}`
  await bucket.put(key, JSON.stringify(segments))
  return key
}

/** Removes the transcripts of runs before one that ended well. Captions, whose keys begin with no number, stay. */
export function removeEarlierTranscripts(bucket: R2Bucket, { moduleId, run }: TranscribedBy): Promise<void> {
  return removeObjects(bucket, transcriptsOf(moduleId), (name) => Number.parseInt(name, 10) < run)
}

/** Removes a transcript that no row refers to. If that fails, it is removed with the module. */
export async function removeTranscript(bucket: R2Bucket, moduleId: string, key: string): Promise<void> {
  await bucket.delete(key).catch((error) => {
    logLine('warn', 'transcript_not_removed', { moduleId, key, ...faultOf(error) })
  })
}

/**
 * Stores captions, from which every later run of a module writes its steps. They are its transcript at once, without
 * what people corrected in the one before: the file is their own words too, and newer. Where the module is READY, the
 * end of the run that writes their steps does both.
 * @param language of the captions, where the module has another; null where it stays
 * @returns false when the module is gone
 */
export async function storeCaptions(
  { d1, bucket }: Pick<Context, 'd1' | 'bucket'>,
  moduleId: string,
  segments: FormedSegment[],
  language: string | null = null,
): Promise<boolean> {
  const key = `${transcriptsOf(moduleId)}c-${nanoid()}`
  await bucket.put(key, JSON.stringify(segments))
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, ...values)
  const [before, , , after] = await d1.batch<{ captions: string | null; transcript: string | null }>([
    bind('SELECT captions_key AS captions, transcript_key AS transcript FROM modules WHERE id = ?1'),
    bind(`DELETE FROM transcript_corrections WHERE module_id = ?1
            AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status <> 'READY')`),
    // The sections of a run that is in progress are of other words.
    bind('UPDATE runs SET section_count = NULL WHERE module_id = ?1 AND ended_at IS NULL'),
    bind(
      `UPDATE modules SET captions_key = ?2, transcript_run = iif(status = 'READY', transcript_run, ${CAPTIONS_RUN}),
              transcript_key = iif(status = 'READY', transcript_key, ?2),
              segment_count = iif(status = 'READY', segment_count, ?3), language = coalesce(?4, language)
       WHERE id = ?1 RETURNING captions_key AS captions, transcript_key AS transcript`,
      key,
      segments.length,
      language,
    ),
  ])
  const [was] = before?.results ?? []
  const [named] = after?.results ?? []
  const keys = new Set([key, was?.captions, was?.transcript])
  for (const each of [named?.captions, named?.transcript, null, undefined]) keys.delete(each)
  await Promise.all([...keys].map((unnamed) => removeTranscript(bucket, moduleId, unnamed as string)))
  return named !== undefined
}

/** Reads the transcript of a module with its corrections; empty when nothing is known yet. */
export async function readTranscript(
  context: Pick<Context, 'db' | 'bucket'>,
  module: TranscriptOf,
): Promise<Transcript> {
  const { id: moduleId, transcriptKey: key, transcriptRun: run } = module
  if (run === null) return { segments: [], orphaned: [] }
  const [segments, corrections] = await Promise.all([
    key === null ? listFormed(context.db, { moduleId, run }) : readObject(context.bucket, key, run),
    listCorrections(context.db, moduleId),
  ])
  if (segments !== null) return correct(segments, corrections)
  const now = await findNamed(context.db, moduleId)
  // Another transcript has taken the place of this one since the module was read.
  if (now !== undefined && now.transcriptKey !== key) return readTranscript(context, now)
  // The rest of the module can do without, and a new run makes it again.
  if (key !== null) logLine('error', 'transcript_missing', { moduleId, key })
  return correct([], corrections)
}

/**
 * Reads the captions that the steps of a module are written from. While they are not its transcript yet, corrections
 * are of another one.
 */
export async function readCaptionSegments(
  context: Pick<Context, 'db' | 'bucket'>,
  module: TranscriptOf,
): Promise<Segment[]> {
  const { id: moduleId, captionsKey: key, transcriptKey } = module
  if (key === null || key === transcriptKey) return (await readTranscript(context, module)).segments
  const segments = await readObject(context.bucket, key, CAPTIONS_RUN)
  if (segments !== null) return segments
  const now = await findNamed(context.db, moduleId)
  if (now !== undefined && now.captionsKey !== key) return readCaptionSegments(context, now)
  logLine('error', 'transcript_missing', { moduleId, key })
  return []
}

async function findNamed(db: Db, moduleId: string): Promise<TranscriptOf | undefined> {
  const { id, captionsKey, transcriptKey, transcriptRun } = modules
  const [now] = await db.select({ id, captionsKey, transcriptKey, transcriptRun }).from(modules).where(eq(id, moduleId))
  return now
}

async function readObject(bucket: R2Bucket, key: string, run: number): Promise<Segment[] | null> {
  const object = await bucket.get(key)
  return object === null ? null : nameSegments(await object.json<FormedSegment[]>(), run)
}

/** Reads what a run has transcribed in its sections `first` to `last`, as far as they are formed, with corrections. */
export async function readSections(
  db: Db,
  by: TranscribedBy,
  between?: { first: number; last: number },
): Promise<Segment[]> {
  const [segments, corrections] = await Promise.all([listFormed(db, by, between), listCorrections(db, by.moduleId)])
  return correct(segments ?? [], corrections).segments
}

/** @returns null when the run has no sections, or none any more */
async function listFormed(
  db: Db,
  { moduleId, run }: TranscribedBy,
  { first, last } = { first: 0, last: Number.MAX_SAFE_INTEGER },
): Promise<Segment[] | null> {
  const isOfRun = and(eq(sections.moduleId, moduleId), eq(sections.run, run), between(sections.section, first, last))
  // A run that continues another one has copied sections that it has not reached yet.
  const formed = sql`(SELECT ${runs.formedSections} FROM ${runs} WHERE ${runs.moduleId} = ${moduleId} AND ${runs.run} = ${run})`
  const rows = await db
    .select({ segments: sections.segments, fromPosition: sections.fromPosition })
    .from(sections)
    .where(and(isOfRun, lt(sections.section, formed)))
    .orderBy(asc(sections.section))
  if (rows.length === 0) return null
  return rows.flatMap(({ segments, fromPosition }) => nameSegments(segments ?? [], run, fromPosition))
}

/** Ids contain the run and the place, so the same words get the same ids however often they are read. */
function nameSegments(formed: readonly FormedSegment[], run: number, fromPosition = 0): Segment[] {
  const prefix = run === CAPTIONS_RUN ? 'c' : `s${run}`
  return formed.map((segment, index) => {
    const position = fromPosition + index
    const id = `${prefix}-${String(position).padStart(5, '0')}`
    return { ...segment, id, position, transcribedText: null, correctionId: id }
  })
}

function listCorrections(db: Db, moduleId: string): Promise<Correction[]> {
  return db.select().from(transcriptCorrections).where(eq(transcriptCorrections.moduleId, moduleId))
}

interface Span {
  startMs: number
  endMs: number
}

const overlaps = (one: Span, other: Span) => one.startMs < other.endMs && one.endMs > other.startMs

/**
 * Gives lines what people made of them, and of the same words at the same time in an earlier run, the newest first. A
 * correction goes to one line.
 */
function correct(lines: Segment[], corrections: readonly Correction[]): Transcript {
  if (corrections.length === 0) return { segments: lines, orphaned: [] }
  const byId = new Map(lines.map((line) => [line.id, line]))
  const byText = Map.groupBy(lines, (line) => line.text)
  const isOwn = ({ segmentId }: Correction) => Number(byId.has(segmentId))
  const unmatched: Correction[] = []
  const order = (a: Correction, b: Correction) =>
    isOwn(b) - isOwn(a) || Number(isOfScreen(a)) - Number(isOfScreen(b)) || b.editedAt - a.editedAt
  for (const correction of corrections.toSorted(order)) {
    const { segmentId, transcribedText } = correction
    const isFree = (line: Segment) => line.transcribedText === null && !line.isDecided && overlaps(line, correction)
    const line = byId.get(segmentId) ?? byText.get(transcribedText)?.find(isFree)
    if (line !== undefined) applyCorrection(line, correction)
    // Nobody misses what was no person's work, or is as it was transcribed.
    else if (!isOfScreen(correction) && correction.text !== transcribedText) unmatched.push(correction)
  }
  // With the glossary, the recogniser may now transcribe the corrected text by itself.
  const isSaid = (each: Correction) => lines.some((line) => line.text === each.text && overlaps(line, each))
  const orphaned = unmatched.filter((each) => !isSaid(each)).sort((a, b) => a.startMs - b.startMs)
  return { segments: lines, orphaned }
}

/** Whether names on the screen have repaired a line, and no person has changed that. */
function isOfScreen({ text, screenText }: Correction): boolean {
  return text === screenText
}

function applyCorrection(line: Segment, correction: Correction): void {
  const { segmentId: correctionId, transcribedText, text } = correction
  const { text: transcribed, unsure, guessed } = line
  if (text === transcribedText) Object.assign(line, { correctionId, isDecided: true })
  else if (!isOfScreen(correction))
    Object.assign(line, { text, transcribedText, correctionId, isDecided: true, unsure: [], guessed: [] })
  else {
    const heard = { text: transcribed, ...(unsure && { unsure }), ...(guessed && { guessed }) }
    const still = {
      ...(unsure && { unsure: keepWords(heard.text, text, unsure) }),
      ...(guessed && { guessed: keepWords(heard.text, text, guessed) }),
    }
    Object.assign(line, { text, transcribedText, correctionId, heard, ...still })
  }
}

/** Finds words of a line in the line as it was repaired. Those in whose place a name stands are gone. */
function keepWords(before: string, after: string, indexes: readonly number[]): number[] {
  const words = before.split(' ')
  const some = new Set(indexes.map((index) => words[index]))
  return after.split(' ').flatMap((word, index) => (some.has(word) ? [index] : []))
}

/** A line as it goes over the wire: seconds, and whether a person has corrected it. */
export function presentSegment({ id, startMs, endMs, text, ...rest }: Segment): TranscriptSegment {
  const { speaker, confidence, transcribedText, heard } = rest
  const said = { text, ...(speaker !== undefined && { speaker }), confidence }
  const isEdited = transcribedText !== null && heard === undefined
  return { id, start: startMs / 1000, end: endMs / 1000, ...said, isEdited }
}

/** The same for its owner, who sees what was transcribed where the screen has repaired it. */
export function presentOwnSegment(segment: Segment): TranscriptSegment {
  return { ...presentSegment(segment), ...(segment.heard && { beforeScreen: segment.heard.text }) }
}

/** A new text for a line, as it was read. */
export interface SegmentEdit {
  line: Segment
  text: string
  /** The same text where the screen has led to it; null where that is taken back because it no longer does. */
  screenText?: string | null
}

/** Corrections as they are stored, all of them or none. */
export interface CorrectionsToStore {
  module: TranscriptOf
  edits: readonly SegmentEdit[]
  /** The module's glossary before and after; the same where nothing is added. */
  glossary: { was: string | null; text: string | null }
  nowMs: number
}

/**
 * True while every line is as the corrections found it, and no run processes the module. `?1` is the module, `?2` the
 * corrections, which name the transcript that they are of.
 */
const FITS = `EXISTS (
    SELECT 1 FROM modules WHERE id = ?1 AND status <> 'PROCESSING'
      AND transcript_key IS ?2->>'key' AND transcript_run IS ?2->>'run')
  AND NOT EXISTS (
    SELECT 1 FROM json_each(?2, '$.edits') AS edit
    LEFT JOIN transcript_corrections AS mine ON mine.module_id = ?1 AND mine.segment_id = edit.value->>'id'
    WHERE coalesce(mine.text, edit.value->>'transcribed') IS NOT edit.value->>'was')`

/**
 * Stores corrections in one transaction, with the quotes that depend on them. A line that is set back to its
 * transcribed text counts as not corrected. Steps get a new version, which does not count as a person's edit.
 * @param quotes statements for quotes, each to be made conditional
 * @returns false when a line has changed meanwhile, or a run has begun; nothing has changed then
 */
export async function storeCorrections(
  db: D1Database,
  { module, edits, glossary, nowMs }: CorrectionsToStore,
  quotes: (
    condition: string,
    bind: (sql: string, ...values: unknown[]) => D1PreparedStatement,
  ) => D1PreparedStatement[],
): Promise<boolean> {
  const { id: moduleId, transcriptKey: key, transcriptRun: run } = module
  const rows = edits.map(({ line: { correctionId: id, startMs, endMs, text: was, transcribedText }, ...now }) => {
    return { id, startMs, endMs, was, transcribed: transcribedText ?? was, ...now }
  })
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(sql).bind(moduleId, JSON.stringify({ key, run, edits: rows }), ...values)
  const statements = quotes(FITS, bind)
  const results = await db.batch([
    ...statements,
    bind(
      `UPDATE modules SET steps_version = steps_version + CASE WHEN json_array_length(?2, '$.edits') > 0 THEN 1 ELSE 0 END,
              glossary = CASE WHEN glossary IS ?3 THEN ?4 ELSE glossary END
       WHERE id = ?1 AND ${FITS}`,
      glossary.was,
      glossary.text,
    ),
    // Last, since it ends what the condition looks at.
    bind(
      // A repaired line that a person sets back stays known as such; the same words by a person are no repair.
      `INSERT INTO transcript_corrections (module_id, segment_id, start_ms, end_ms, transcribed_text, text, screen_text, edited_at)
       SELECT ?1, value->>'id', value->>'startMs', value->>'endMs', value->>'transcribed', value->>'text', value->>'screenText', ?3
       FROM json_each(?2, '$.edits') WHERE ${FITS}
       ON CONFLICT (module_id, segment_id) DO UPDATE SET text = excluded.text, edited_at = excluded.edited_at,
         screen_text = iif(?4, excluded.screen_text, nullif(transcript_corrections.screen_text, excluded.text))`,
      nowMs,
      edits.some(({ screenText }) => screenText !== undefined) ? 1 : 0,
    ),
    db
      .prepare(
        `DELETE FROM transcript_corrections
         WHERE module_id = ?1 AND text = transcribed_text AND screen_text IS NULL`,
      )
      .bind(moduleId),
  ])
  return (results[statements.length]?.meta.changes ?? 0) === 1
}

/** Forgets corrections of a module that matched no line of a transcript. Those of a module in progress may still match one. */
export async function removeCorrections(
  d1: D1Database,
  module: TranscriptOf,
  some: readonly Correction[],
): Promise<void> {
  const query = `DELETE FROM transcript_corrections
    WHERE module_id = ?1 AND segment_id IN (SELECT value FROM json_each(?2))
      AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status <> 'PROCESSING' AND transcript_key IS ?3)`
  const ids = some.map(({ segmentId }) => segmentId)
  await runSql(d1, query, module.id, JSON.stringify(ids), module.transcriptKey)
}

/** Removes all corrections of a module that is erased. */
export async function removeAllCorrections(db: Db, moduleId: string): Promise<void> {
  await db.delete(transcriptCorrections).where(eq(transcriptCorrections.moduleId, moduleId))
}
