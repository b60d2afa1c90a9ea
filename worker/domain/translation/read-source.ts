import { findLanguage, type LanguageTag } from '#contract/languages.ts'
import type { Context } from '#worker/core/context.ts'
import { listAnswers } from '#worker/domain/answer/answer-store.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { presentSharedStep } from '#worker/domain/step/read-steps.ts'
import { listShownSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { readGlossary } from '#worker/domain/translation/glossary-store.ts'
import { findLostTerms, readTerms, type Term } from './glossary.ts'
import { guessLanguage } from './language-rules.ts'
import {
  hashSource,
  isAnswer,
  listAnswerItems,
  listCaptionItems,
  listPageItems,
  type SourceItem,
} from './list-items.ts'
import { listTranslations, type TranslationRow } from './translation-store.ts'

/** A part of a training with the hash of its source. */
export interface HashedItem extends SourceItem {
  sourceHash: string
}

/** All that a training is translated from. */
export interface TranslationSource {
  /** Its glossary has that of its organization behind it. */
  module: ModuleRow
  /** Primary tag of its language; null where it is not known. */
  from: string | null
  items: HashedItem[]
}

/** Guessing takes no more text than this. */
const GUESS_CHARS = 4_000

/** Finds the language of a training: its owner's word, or what its texts look like. */
export function languageOf(module: Pick<ModuleRow, 'language'>, items: readonly SourceItem[]): string | null {
  if (module.language !== null) return findLanguage(module.language) ?? module.language.split('-')[0] ?? null
  const text = items.flatMap(({ texts }) => texts).join(' ')
  return guessLanguage(text.slice(0, GUESS_CHARS))
}

/** Reads what a module is translated from; null while there is nothing that could be. */
export async function readSource(
  context: Pick<Context, 'db' | 'bucket'>,
  moduleId: string,
): Promise<TranslationSource | null> {
  const module = await findModule(context.db, moduleId)
  if (module === null || module.status !== 'READY') return null
  const [rows, { segments }, answers] = await Promise.all([
    listShownSteps(context.db, module),
    readTranscript(context, module),
    listAnswers(context.db, moduleId),
  ])
  const steps = rows.map((row) => presentSharedStep(row, module))
  const page = listPageItems(module.title, steps)
  const items = await hashItems([...page, ...listAnswerItems(answers), ...listCaptionItems(segments)])
  const glossary = await readGlossary(context.db, module)
  return { module: { ...module, glossary }, from: languageOf(module, page), items }
}

/** Adds the hash of its source to each part. */
export function hashItems(items: readonly SourceItem[]): Promise<HashedItem[]> {
  return Promise.all(items.map(async (item) => ({ ...item, sourceHash: await hashSource(item.texts) })))
}

/** The parts of a training that are to be translated into a language, and the rows of no use any more, whose part is gone. */
export async function planTranslation(
  context: Pick<Context, 'db'>,
  { module, from, items }: TranslationSource,
  language: LanguageTag,
): Promise<{ stale: HashedItem[]; rows: TranslationRow[]; gone: string[] }> {
  const rows = await listTranslations(context.db, { moduleId: module.id, language })
  const stored = new Map(rows.map((row) => [row.item, row]))
  const terms = readTerms(module, from ?? '', language)
  const names = new Set(items.map(({ item }) => item))
  return {
    stale: items.filter((item) => isStale(item, stored.get(item.item), terms)),
    rows,
    // What a person wrote or read stays: a step that was deleted comes back with the same name, an answer does not.
    gone: rows.flatMap(({ item, state }) =>
      names.has(item) || (state === 'approved' && !isAnswer(item)) ? [] : [item],
    ),
  }
}

/** Whether a part is to be translated: nothing is there of its source, or the glossary has another word since. */
export function isStale(item: HashedItem, row: TranslationRow | undefined, terms: readonly Term[]): boolean {
  if (row?.sourceHash !== item.sourceHash) return true
  if (row.state !== 'good' && row.state !== 'rough') return false
  return item.texts.some((source, index) => findLostTerms(terms, { source, text: row.texts[index] ?? '' }).length > 0)
}
