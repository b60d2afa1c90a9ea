import type { CorrectionAnswer, CorrectTranscript, OrphanedCorrection } from '#contract/transcript.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import {
  listOrphanedCorrections,
  type SegmentEdit,
  storeCorrections,
} from '#worker/domain/transcript/correction-store.ts'
import { extendGlossary } from '#worker/domain/transcript/extend-glossary.ts'
import { listSegments, presentSegment, type SegmentRow } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import { listQuoting, type NewQuote, type QuotingTable, storeQuotes } from './quote-store.ts'
import { type LineChange, requote } from './requote.ts'

interface CorrectionDeps {
  db: Db
  d1: D1Database
  nowMs: () => number
}

/**
 * Corrects lines of a transcript and whatever quotes them, all of it or nothing.
 * @throws {AppError} steps_not_ready while the module is processed, not_found for a line that is not there any more,
 *   version_conflict for one that another person has changed
 */
export async function correctTranscript(
  deps: CorrectionDeps,
  module: ModuleRow,
  request: CorrectTranscript,
): Promise<CorrectionAnswer> {
  if (module.status === 'PROCESSING') throw notNow()
  const before = await listSegments(deps.db, module.id)
  const edits = findEdits(before, request.edits)
  const glossary = extendGlossary(module.glossary, request.glossary)
  const quotes = await findQuotes(deps.db, module.id, { before, edits })
  const text = glossary === null || request.glossary.length === 0 ? module.glossary : glossary
  const at = { moduleId: module.id, edits, glossary: { was: module.glossary, text }, nowMs: deps.nowMs() }
  const isStored = await storeCorrections(deps.d1, at, (condition, bind) =>
    [...quotes].map(([table, list]) => bind(`${storeQuotes(table)} AND ${condition}`, JSON.stringify(list))),
  )
  if (!isStored) throw conflict()
  const named = new Set(request.edits.map((edit) => edit.id))
  const segments = (await listSegments(deps.db, module.id)).filter((row) => named.has(row.id)).map(presentSegment)
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
