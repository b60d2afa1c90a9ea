import { GLOSSARY_MAX_CHARS } from '#contract/limits.ts'
import { type ModuleRole, seesDraft } from '#contract/module.ts'
import type { CorrectionAnswer, CorrectTranscript, TranscriptAnswer } from '#contract/transcript.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { isRough } from '#worker/domain/transcript/form-segments.ts'
import { listWithoutSpeech } from '#worker/domain/transcript/speech-stretches.ts'
import {
  presentOwnSegment,
  presentSegment,
  readTranscript,
  type Segment,
  type SegmentEdit,
  sourceOf,
  storeCorrections,
} from '#worker/domain/transcript/transcript-store.ts'
import { listVisibleSegments } from '#worker/domain/visible-rows.ts'
import { type LineChange, requote } from './requote.ts'
import { listQuoting, type NewQuote, type QuotingTable, storeQuotes } from './step-store.ts'

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
  const before = (await readTranscript(context, module)).segments
  const edits = findEdits(before, request.edits)
  const glossary = extendGlossary(module.glossary, request.glossary)
  const text = glossary === null || request.glossary.length === 0 ? module.glossary : glossary
  if (!(await storeEdits(context, module, { before, edits, glossary: text }))) throw conflict()
  const named = new Set(request.edits.map((edit) => edit.id))
  const { segments: now } = await readTranscript(context, module)
  const segments = now.filter(({ id }) => named.has(id)).map(presentOwnSegment)
  return { success: true, segments, isInGlossary: glossary !== null }
}

/**
 * Stores what lines say now with what quotes them, all of it or nothing.
 * @returns false when a line has changed meanwhile, or a run has begun; nothing has changed then
 */
export async function storeEdits(
  context: Pick<Context, 'db' | 'd1' | 'nowMs'>,
  module: ModuleRow,
  {
    before,
    edits,
    glossary = module.glossary,
  }: { before: readonly Segment[]; edits: readonly SegmentEdit[]; glossary?: string | null },
): Promise<boolean> {
  const quotes = await findQuotes(context.db, module.id, { before, edits })
  const correction = { module, edits, glossary: { was: module.glossary, text: glossary }, nowMs: context.nowMs() }
  return storeCorrections(context.d1, correction, (condition, bind) =>
    [...quotes].map(([table, list]) => bind(`${storeQuotes(table)} AND ${condition}`, JSON.stringify(list))),
  )
}

/** The corrections that change something. */
function findEdits(before: readonly Segment[], requestedEdits: CorrectTranscript['edits']): SegmentEdit[] {
  const lines = new Map(before.map((line) => [line.id, line]))
  const edits = new Map<string, SegmentEdit>()
  for (const { id, text, was } of requestedEdits) {
    const line = lines.get(id)
    if (line === undefined) throw new AppError('not_found', 'This line of the transcript is not there any more.')
    if (was !== undefined && was !== line.text) throw conflict()
    if (text !== line.text) edits.set(id, { line, text })
  }
  return [...edits.values()]
}

async function findQuotes(
  db: Db,
  moduleId: string,
  { before, edits }: { before: readonly Segment[]; edits: readonly SegmentEdit[] },
): Promise<Map<QuotingTable, NewQuote[]>> {
  const lines = new Map(before.map((row) => [row.id, row.text]))
  const changes = new Map<string, LineChange>(
    edits.map(({ line, text }) => [line.id, { before: line.text, after: text }]),
  )
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

/** The transcript as the wire shows it; an owner sees what matches no line of it, but not while it is still being made. */
export async function answerTranscript(
  context: Pick<Context, 'db' | 'bucket'>,
  module: ModuleRow,
  role: ModuleRole,
): Promise<TranscriptAnswer> {
  const { segments: all, orphaned } = await readTranscript(context, module)
  const segments = seesDraft(role) ? all : listVisibleSegments(all, module.cuts)
  const visibleOrphans = role === 'owner' && module.status !== 'PROCESSING' ? orphaned : []
  const source = sourceOf(module)
  return {
    success: true,
    source,
    language: module.language,
    segments: segments.map(seesDraft(role) ? presentOwnSegment : presentSegment),
    isRough: isRough(segments),
    withoutSpeech: listWithoutSpeech({ ...module, source }, segments).map(({ startMs, endMs }) => {
      return { start: startMs / 1000, end: endMs / 1000 }
    }),
    orphaned: visibleOrphans.map(({ segmentId: id, startMs, endMs, transcribedText: transcribed, text }) => {
      return { id, start: startMs / 1000, end: endMs / 1000, transcribed, text }
    }),
  }
}

function notNow(): AppError {
  return new AppError('steps_not_ready', 'The transcript can be corrected as soon as the module has been processed.')
}

function conflict(): AppError {
  return new AppError('version_conflict', 'Someone else changed this part of the transcript. Look at it and try again.')
}

/**
 * A glossary with some more words, each once, in the form that it has: by lines or by commas.
 * @returns null when there is no room for all of them
 */
export function extendGlossary(glossary: string | null, words: readonly string[]): string | null {
  const glossaryWords = (glossary ?? '')
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const seen = new Set(glossaryWords.map(fold))
  const added = words
    .map((word) => word.trim())
    .filter((word) => word !== '' && !seen.has(fold(word)) && seen.add(fold(word)))
  if (added.length === 0) return glossary ?? ''
  const separator = glossary?.includes('\n') === true ? '\n' : ', '
  const longer = [...(glossaryWords.length === 0 ? [] : [(glossary ?? '').trim().replace(/[,;]$/, '')]), ...added].join(
    separator,
  )
  return longer.length > GLOSSARY_MAX_CHARS ? null : longer
}

function fold(word: string): string {
  return word.toLowerCase()
}
