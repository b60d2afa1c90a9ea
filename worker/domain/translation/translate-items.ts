import type { LanguageTag } from '#contract/languages.ts'
import type { Complaint } from '#contract/translation.ts'
import { AppError } from '#worker/core/errors.ts'
import type { TranslateTask, Translator } from '#worker/ports/translator.ts'
import { checkTranslation } from './check-translation.ts'
import type { Term } from './glossary.ts'
import type { SourceItem } from './list-items.ts'

/** The languages, the title and the terms of a translation. */
export interface Assignment {
  from: string
  to: LanguageTag
  moduleTitle: string
  terms: readonly Term[]
}

/** A part after its translation; with complaints, learners read the original of it. */
export interface TranslatedPart<Item extends SourceItem> {
  source: Item
  texts: string[]
  complaints: Complaint[]
}

/**
 * Translates parts in one call, checks each text against its source, and asks once more for those that the check refuses.
 * @throws {AppError} as {@link Translator.translate}
 */
export async function translateItems<Item extends SourceItem>(
  translator: Translator,
  { items, assignment }: { items: readonly Item[]; assignment: Assignment },
  signal: AbortSignal,
): Promise<TranslatedPart<Item>[]> {
  const sources = items.flatMap(({ texts }) => texts)
  const answers = await ask(translator, { ...assignment, texts: sources, complaints: [] }, signal)
  const check = (index: number) =>
    checkTranslation({ ...assignment, source: sources[index] ?? '', text: answers[index] ?? '' })
  const refused = sources.flatMap((_source, index) => {
    const complaints = check(index)
    return complaints.length === 0 ? [] : [{ index, complaints }]
  })
  if (refused.length > 0) {
    const complaints = refused.map(({ index, complaints: found }, position) => ({
      index: position,
      answer: answers[index] ?? '',
      found,
    }))
    const texts = refused.map(({ index }) => sources[index] ?? '')
    const again = await ask(translator, { ...assignment, texts, complaints }, signal)
    for (const [position, { index }] of refused.entries()) answers[index] = again[position] ?? ''
  }
  let from = 0
  return items.map((source) => {
    const start = from
    from += source.texts.length
    const texts = answers.slice(start, from)
    return { source, texts, complaints: texts.flatMap((_text, index) => check(start + index)) }
  })
}

/** Texts without words stay as they are. */
async function ask(translator: Translator, task: TranslateTask, signal: AbortSignal): Promise<string[]> {
  const textIndexes = task.texts.flatMap((text, index) => (/\p{L}/u.test(text) ? [index] : []))
  if (textIndexes.length === 0) return [...task.texts]
  const placeOf = new Map(textIndexes.map((index, place) => [index, place]))
  const complaints = task.complaints.flatMap((complaint) => {
    const place = placeOf.get(complaint.index)
    return place === undefined ? [] : [{ ...complaint, index: place }]
  })
  const texts = textIndexes.map((index) => task.texts[index] ?? '')
  const answered = await translator.translate({ ...task, texts, complaints }, signal)
  if (answered.length !== texts.length)
    throw new AppError('ai_failed', `${translator.name} gave ${answered.length} texts for ${texts.length}.`)
  return task.texts.map((text, index) => answered[placeOf.get(index) ?? -1]?.trim() ?? text)
}
