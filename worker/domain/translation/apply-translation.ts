import { directionOf, type LanguageTag } from '#contract/languages.ts'
import type { AnswerTranslation, SharedTranslation } from '#contract/share.ts'
import type { SharedStep } from '#contract/step.ts'
import type { PrintedAnswer, TranslatedAnswer } from '#contract/version.ts'
import type { Cue } from '#media/write-captions.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Segment } from '#worker/domain/transcript/transcript-store.ts'
import { listAnswerItems, listCaptionItems, listChapters, listPageItems } from './list-items.ts'
import { hashItems, languageOf } from './read-source.ts'
import {
  listChosenTranslations,
  listReadable,
  listTranslations,
  PERSON,
  type TranslationRow,
} from './translation-store.ts'

/** What learners read of a training, in whichever language. */
export interface ReadTexts {
  title: string
  steps: SharedStep[]
  /** Of the training itself; null where it is not known. */
  original: string | null
  /** Other languages in which it can be read. */
  languages: LanguageTag[]
  /** Null for the original. */
  translation: SharedTranslation | null
}

/**
 * Puts a training into a language. A part that is not translated, whose source has changed since, or that a check has
 * kept back is left in the original.
 * @param wanted null, or a language that it is not translated into, gives the original
 */
export async function readInLanguage(
  db: Db,
  { module, steps }: { module: Pick<ModuleRow, 'id' | 'title' | 'language' | 'languages'>; steps: SharedStep[] },
  wanted: LanguageTag | null,
): Promise<ReadTexts> {
  const { title } = module
  const items = listPageItems(title, steps)
  const original = languageOf(module, items)
  const readable = module.languages.length === 0 ? [] : await listReadable(db, module.id)
  const languages = readable.filter((tag) => module.languages.includes(tag) && tag !== original)
  if (wanted === null || !languages.includes(wanted)) return { title, steps, original, languages, translation: null }
  const rows = await listTranslations(db, { moduleId: module.id, language: wanted }, 'page')
  const hashed = await hashItems(items)
  const read = new Map(selectRead(hashed, rows).map((row) => [row.item, row]))
  const chapters = new Map(listChapters(steps).map((chapter, index) => [chapter, read.get('chapters')?.texts[index]]))
  const missing = hashed.filter(({ item }) => item.startsWith('step:') && !read.has(item)).length
  return {
    title: read.get('title')?.texts[0] ?? title,
    steps: steps.map((step) => translateStep(step, { row: read.get(`step:${step.id}`), chapters, original })),
    original,
    languages,
    translation: { language: wanted, ...describeRows([...read.values()]), missing },
  }
}

/** The rows that learners read: those of the source as it is now, which no check has kept back. */
function selectRead(
  items: readonly { item: string; sourceHash: string; texts: string[] }[],
  rows: readonly TranslationRow[],
): TranslationRow[] {
  const stored = new Map(rows.map((row) => [row.item, row]))
  return items.flatMap(({ item, sourceHash, texts }) => {
    const row = stored.get(item)
    const isRead = row?.sourceHash === sourceHash && row.state !== 'kept_back' && row.texts.length === texts.length
    return isRead ? [row] : []
  })
}

function describeRows(rows: readonly TranslationRow[]): Pick<SharedTranslation, 'isApproved' | 'engine' | 'isRough'> {
  const byModel = rows.filter(({ writer, state }) => writer !== PERSON && state !== 'approved')
  const rough = byModel.find(({ state }) => state === 'rough')
  return {
    isApproved: rows.length > 0 && byModel.length === 0,
    engine: (rough ?? byModel[0])?.writer ?? null,
    isRough: rough !== undefined,
  }
}

interface StepTexts extends Pick<ReadTexts, 'original'> {
  row: TranslationRow | undefined
  chapters: Map<string, string | undefined>
}

function translateStep(step: SharedStep, { row, chapters, original }: StepTexts): SharedStep {
  const chapter = step.chapter === null ? null : (chapters.get(step.chapter) ?? step.chapter)
  if (row === undefined) return { ...step, chapter, ...(original !== null && { language: original }) }
  const [title = step.title, description = step.description, ...texts] = row.texts
  const callouts = step.callouts.map((callout, index) => ({ ...callout, text: texts[index] ?? callout.text }))
  return { ...step, title, description, chapter, callouts }
}

/** What of an answer is translated. */
type AnswerTexts = Pick<PrintedAnswer, 'id' | 'question' | 'text'>

/** An answer as it is read, in whichever language. */
export type ReadAnswer<Answer extends AnswerTexts = PrintedAnswer> = Answer & { translation: AnswerTranslation | null }

/** Reads the trainer's answers of a module in a language, as far as they are translated from what they say now. */
export async function listTranslatedAnswers(
  db: Db,
  { moduleId, answers }: { moduleId: string; answers: readonly AnswerTexts[] },
  language: LanguageTag,
): Promise<TranslatedAnswer[]> {
  if (answers.length === 0) return []
  const items = await hashItems(listAnswerItems(answers))
  const rows = await listChosenTranslations(db, { moduleId, language, items: items.map(({ item }) => item) })
  const read = new Map(selectRead(items, rows).map((row) => [row.item, row]))
  return answers.flatMap(({ id }, index) => {
    const row = read.get(items[index]?.item ?? '')
    if (row === undefined) return []
    const [question = '', text = ''] = row.texts
    return [{ id, question, text, translation: { language, ...describeRows([row]) } }]
  })
}

/** Puts answers into the language of some translations; others stay as they are. */
export function putAnswers<Answer extends AnswerTexts>(
  answers: readonly Answer[],
  translated: readonly TranslatedAnswer[],
): ReadAnswer<Answer>[] {
  const byId = new Map(translated.map((each) => [each.id, each]))
  return answers.map((answer) => ({ ...answer, translation: null, ...byId.get(answer.id) }))
}

/** A line of captions with its times. */
type CaptionSegment = Pick<Segment, 'id' | 'startMs' | 'endMs' | 'text' | 'speaker'>

/** Puts captions into a language: the times stay, and lines that are not translated are in the original. */
export async function readCuesIn(
  db: Db,
  { moduleId, segments }: { moduleId: string; segments: readonly CaptionSegment[] },
  wanted: LanguageTag | null,
): Promise<Cue[]> {
  if (wanted === null) return segments.map((segment) => toCue(segment, segment.text))
  const items = await hashItems(listCaptionItems(segments))
  const rows = await listTranslations(db, { moduleId, language: wanted })
  const read = new Map(selectRead(items, rows).map((row) => [row.item, row]))
  const texts = items.flatMap((item) => read.get(item.item)?.texts ?? item.texts)
  return segments.map((segment, index) => toCue(segment, texts[index] ?? segment.text))
}

function toCue({ startMs, endMs, speaker }: CaptionSegment, text: string): Cue {
  return { start: startMs / 1000, end: endMs / 1000, text, ...(speaker !== undefined && { speaker }) }
}

/** Attributes of an element that is written in a language. */
export function langAttributes(tag: string): string {
  return directionOf(tag) === 'rtl' ? `lang="${tag}" dir="rtl"` : `lang="${tag}"`
}
