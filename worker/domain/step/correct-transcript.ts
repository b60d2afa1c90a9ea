import type { CorrectionAnswer, CorrectTranscript, OrphanedCorrection } from '#contract/transcript.ts'
import type { Context } from '#worker/context.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { extendGlossary } from '#worker/domain/transcript/transcribe-chunk.ts'
import {
  listOrphanedCorrections,
  listSegments,
  presentSegment,
  type SegmentEdit,
  type SegmentRow,
  storeCorrections,
} from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import { listQuoting, type NewQuote, type QuotingTable, storeQuotes } from './step-store.ts'

/** A step or proposal with its transcript. */
export interface Quoting {
  id: string
  originalText: string
  segmentIds: readonly string[]
}

/** A line of the transcript before and after a correction. */
interface LineChange {
  before: string
  after: string
}

/**
 * The quote of a step once lines of the transcript have been corrected. One that is its lines' text stays so; of any
 * other, the corrected lines are replaced where they are found.
 * @param lines texts of the lines before the correction
 * @param changes the corrected lines, by id
 * @returns null when the quote stays as it is
 */
export function requote(
  { originalText, segmentIds }: Quoting,
  lines: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, LineChange>,
): string | null {
  const own = segmentIds.filter((id) => changes.has(id))
  if (own.length === 0 || originalText === '') return null
  const textOf = (id: string) => changes.get(id)?.after ?? lines.get(id) ?? ''
  const before = segmentIds.map((id) => tidy(lines.get(id) ?? '')).join(' ')
  const after = segmentIds.map((id) => tidy(textOf(id))).join(' ')
  if (originalText === after) return null
  const quote =
    originalText === before ? after : own.reduce((text, id) => replaceLine(text, changes.get(id)), originalText)
  return quote === originalText ? null : quote
}

function replaceLine(text: string, change: LineChange | undefined): string {
  const before = tidy(change?.before ?? '')
  const at = before === '' ? -1 : text.indexOf(before)
  return at === -1 ? text : text.slice(0, at) + tidy(change?.after ?? '') + text.slice(at + before.length)
}

/** Quotes are one line of text, whatever blanks the segments have. */
function tidy(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A line as it is, and as it was transcribed where a person has corrected it. */
export interface CorrectedLine {
  id: string
  text: string
  transcribedText: string | null
}

/** Replaces the transcribed text in the quotes of steps by the corrected text. */
export function quoteCorrected<Each extends Quoting>(
  steps: readonly Each[],
  corrected: readonly CorrectedLine[],
): Each[] {
  const lines = new Map(corrected.map((line) => [line.id, line.transcribedText ?? line.text]))
  const changes = new Map(
    corrected.flatMap(({ id, text, transcribedText }) =>
      transcribedText === null ? [] : [[id, { before: transcribedText, after: text }]],
    ),
  )
  return steps.map((step) => ({ ...step, originalText: requote(step, lines, changes) ?? step.originalText }))
}

/**
 * Corrects lines of a transcript and whatever quotes them, all of it or nothing.
 * @throws {AppError} steps_not_ready while the module is processed, not_found for a line that is not there any more,
 *   version_conflict for one that another person has changed
 */
export async function correctTranscript(
  context: Context,
  module: ModuleRow,
  request: CorrectTranscript,
): Promise<CorrectionAnswer> {
  if (module.status === 'PROCESSING') throw notNow()
  const before = await listSegments(context.db, module.id)
  const edits = findEdits(before, request.edits)
  const glossary = extendGlossary(module.glossary, request.glossary)
  const quotes = await findQuotes(context.db, module.id, { before, edits })
  const text = glossary === null || request.glossary.length === 0 ? module.glossary : glossary
  const at = { moduleId: module.id, edits, glossary: { was: module.glossary, text }, nowMs: context.nowMs() }
  const isStored = await storeCorrections(context.d1, at, (condition, bind) =>
    [...quotes].map(([table, list]) => bind(`${storeQuotes(table)} AND ${condition}`, JSON.stringify(list))),
  )
  if (!isStored) throw conflict()
  const named = new Set(request.edits.map((edit) => edit.id))
  const segments = (await listSegments(context.db, module.id)).filter((row) => named.has(row.id)).map(presentSegment)
  return { success: true, segments, isInGlossary: glossary !== null }
}

/** The corrections that change something. */
function findEdits(before: readonly SegmentRow[], asked: CorrectTranscript['edits']): SegmentEdit[] {
  const rows = new Map(before.map((row) => [row.id, row]))
  const edits = new Map<string, SegmentEdit>()
  for (const { id, text, was } of asked) {
    const row = rows.get(id)
    if (row === undefined) throw new AppError('not_found', 'This line of the transcript is not there any more.')
    if (was !== undefined && was !== row.text) throw conflict()
    if (text !== row.text) edits.set(id, { id, text, was: row.text })
  }
  return [...edits.values()]
}

async function findQuotes(
  db: Db,
  moduleId: string,
  { before, edits }: { before: readonly SegmentRow[]; edits: readonly SegmentEdit[] },
): Promise<Map<QuotingTable, NewQuote[]>> {
  const lines = new Map(before.map((row) => [row.id, row.text]))
  const changes = new Map<string, LineChange>(edits.map(({ id, was, text }) => [id, { before: was, after: text }]))
  const quoting = await listQuoting(db, moduleId)
  const quotes = new Map<QuotingTable, NewQuote[]>()
  for (const table of ['steps', 'step_proposals'] as const) {
    const list = quoting[table].flatMap((each) => {
      const text = requote(each, lines, changes)
      return text === null ? [] : [{ id: each.id, was: each.originalText, text }]
    })
    if (list.length > 0) quotes.set(table, list)
  }
  return quotes
}

/** Lists corrections that match no line of the newest transcription; none while it is still being made. */
export async function readOrphanedCorrections(d1: D1Database, module: ModuleRow): Promise<OrphanedCorrection[]> {
  if (module.status === 'PROCESSING') return []
  return (await listOrphanedCorrections(d1, module.id)).map(({ id, startMs, endMs, text, transcribedText }) => ({
    id,
    start: startMs / 1000,
    end: endMs / 1000,
    transcribed: transcribedText ?? text,
    text,
  }))
}

function notNow(): AppError {
  return new AppError('steps_not_ready', 'The transcript can be corrected as soon as the module has been processed.')
}

function conflict(): AppError {
  return new AppError('version_conflict', 'Someone else changed this part of the transcript. Look at it and try again.')
}
