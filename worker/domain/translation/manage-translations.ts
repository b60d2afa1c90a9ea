import { LANGUAGE_TAGS, type LanguageTag } from '#contract/languages.ts'
import { FailureCode } from '#contract/module.ts'
import {
  type LanguageStatus,
  type LanguagesAnswer,
  type NO_LANGUAGE_CODES,
  type TranslatedItem,
  type TranslationEdit,
} from '#contract/translation.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { listTranslating } from '#worker/domain/module/translate-tasks.ts'
import { checkAiLeft, usdOfTranslation } from '#worker/domain/quota/spend-ai.ts'
import { isChecked } from './check-translation.ts'
import { readTerms } from './glossary.ts'
import { batchItems } from './list-items.ts'
import { type HashedItem, isStale, readSource, type TranslationSource } from './read-source.ts'
import { requestTranslations, setLanguages } from './request-translations.ts'
import {
  approve,
  FAILURE_ITEM,
  listAllTranslations,
  listTranslations,
  PERSON,
  storeEdit,
  type TranslationRow,
} from './translation-store.ts'

/** An engine that does not answer within this is as good as none. */
const LIST_TIMEOUT_MS = 5_000

const NONE = {
  no_engine: 'No translation engine is set up here, so trainings are shown in their own language.',
  not_ready: 'Languages can be switched on once the training is ready.',
  language_unknown: 'The language of this training is not known. Set it under “Language and glossary”.',
}

interface Targets {
  targets: readonly LanguageTag[]
  whyNone: LanguagesAnswer['whyNone']
}

function none(code: (typeof NO_LANGUAGE_CODES)[number], detail: string): Targets {
  return { targets: [], whyNone: { code, detail } }
}

/** Into which languages a training can be translated, or why into none. */
async function findTargets(
  { services: { translator } }: ServedContext,
  source: TranslationSource | null,
): Promise<Targets> {
  if (translator === null) return none('no_engine', NONE.no_engine)
  if (source === null) return none('not_ready', NONE.not_ready)
  if (source.from === null) return none('language_unknown', NONE.language_unknown)
  try {
    const targets = await translator.listTargets(source.from, AbortSignal.timeout(LIST_TIMEOUT_MS))
    return targets.length > 0
      ? { targets, whyNone: null }
      : none('not_from_here', `${translator.name} does not translate from this language.`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return none('engine_away', error.message)
  }
}

/** Says in which languages a training is, how far, and what others would cost. */
export async function listLanguages(context: ServedContext, module: ModuleRow): Promise<LanguagesAnswer> {
  const { translator } = context.services
  const source = await readSource(context, module.id)
  const [{ targets, whyNone }, rows, translating] = await Promise.all([
    findTargets(context, source),
    listAllTranslations(context.db, [module.id]),
    listTranslating(context.d1, module.id),
  ])
  const inProgress = new Set(translating)
  const visibleTags = LANGUAGE_TAGS.filter((tag) => targets.includes(tag) || module.languages.includes(tag))
  const ofLanguage = Map.groupBy(rows, ({ language }) => language)
  const languages = visibleTags.map((tag) => {
    const status = describeLanguage(source, ofLanguage.get(tag) ?? [], { tag, isPaid: translator?.isPaid === true })
    return { ...status, isOn: module.languages.includes(tag), isInProgress: inProgress.has(tag) }
  })
  // What was to be asked for was lost. A failed attempt is repeated when its owner asks for it.
  if (languages.some((each) => each.isOn && !each.isInProgress && isUnfinished(each)))
    await requestTranslations(context, module)
  const original = source?.from ?? module.language
  return { success: true, original, engine: translator?.name ?? null, languages, whyNone }
}

function isUnfinished({ total, done, keptBack, failure }: LanguageStatus): boolean {
  return failure === null && done + keptBack < total
}

function describeLanguage(
  source: TranslationSource | null,
  rows: readonly TranslationRow[],
  { tag, isPaid }: { tag: LanguageTag; isPaid: boolean },
): LanguageStatus {
  const items = source?.items ?? []
  const stored = new Map(rows.map((row) => [row.item, row]))
  const current = items.flatMap((item) => {
    const row = stored.get(item.item)
    return row?.sourceHash === item.sourceHash ? [row] : []
  })
  const terms = source === null ? [] : readTerms(source.module, source.from ?? '', tag)
  const stale = items.filter((item) => isStale(item, stored.get(item.item), terms))
  const keptBack = current.filter(({ state }) => state === 'kept_back').length
  return {
    tag,
    isOn: false,
    isChecked: isChecked(source?.from ?? null, tag),
    usd: isPaid ? estimateUsd(stale, tag) : 0,
    total: items.length,
    done: current.length - keptBack,
    keptBack,
    changed: current.filter(({ earlier }) => earlier !== null).length,
    isApproved: items.length > 0 && current.filter(({ state }) => state === 'approved').length === items.length,
    isInProgress: false,
    failure: readFailure(stored.get(FAILURE_ITEM)),
  }
}

function readFailure(row: TranslationRow | undefined): LanguageStatus['failure'] {
  const [code, detail = ''] = row?.texts ?? []
  const parsed = FailureCode.safeParse(code)
  return parsed.success ? { code: parsed.data, detail } : null
}

/** About one text in five is refused by the check and translated once more. */
const ASKED_AGAIN = 1.2

function estimateUsd(stale: readonly HashedItem[], to: LanguageTag): number {
  const usd = batchItems(stale).map((batch) => usdOfTranslation({ texts: batch.flatMap(({ texts }) => texts), to }))
  return usd.reduce((sum, each) => sum + each, 0) * ASKED_AGAIN
}

/**
 * Switches languages of a training on and off.
 * @throws {AppError} invalid_request where there is no engine for one of them; quota_reached where the day has no room
 *   for its estimated cost
 */
export async function switchLanguages(
  context: ServedContext,
  module: ModuleRow,
  languages: readonly LanguageTag[],
): Promise<void> {
  const added = languages.filter((tag) => !module.languages.includes(tag))
  if (added.length > 0) {
    const source = await readSource(context, module.id)
    const { targets, whyNone } = await findTargets(context, source)
    const missing = added.find((tag) => !targets.includes(tag))
    const cannot = whyNone?.detail ?? `This training cannot be translated into “${missing}” here.`
    if (missing !== undefined) throw new AppError('invalid_request', cannot)
    const usd = added.reduce((sum, to) => sum + estimateUsd(source?.items ?? [], to), 0)
    if (context.services.translator?.isPaid === true) await checkAiLeft(context, module, usd)
  }
  await setLanguages(context, module.id, languages)
}

/** Reads a translation with its source, in the order of the training. */
export async function readTranslation(
  context: ServedContext,
  module: ModuleRow,
  language: LanguageTag,
): Promise<TranslatedItem[]> {
  const source = await readSource(context, module.id)
  const rows = await listTranslations(context.db, { moduleId: module.id, language })
  const stored = new Map(rows.map((row) => [row.item, row]))
  return (source?.items ?? []).map((item) => presentItem(item, stored.get(item.item)))
}

function presentItem({ item, texts: source, sourceHash }: HashedItem, row: TranslationRow | undefined): TranslatedItem {
  if (row === undefined)
    return { item, source, sourceHash, texts: null, state: null, complaints: [], isByPerson: false, earlier: null }
  const isByPerson = row.writer === PERSON
  if (row.sourceHash !== sourceHash) {
    const earlier = isByPerson ? row.texts : row.earlier
    return { item, source, sourceHash, texts: null, state: null, complaints: [], isByPerson, earlier }
  }
  const { texts, state, complaints, earlier } = row
  return { item, source, sourceHash, texts, state, complaints, isByPerson, earlier }
}

/**
 * Keeps what a person has written of a part, or has approved.
 * @throws {AppError} not_found where there is no such part, invalid_request for another number of texts or an empty one,
 *   version_conflict where the source is not the one that the person has read
 */
export async function editTranslation(
  context: ServedContext,
  { module, language }: { module: ModuleRow; language: LanguageTag },
  edit: TranslationEdit,
): Promise<void> {
  const source = await readSource(context, module.id)
  const items = source?.items ?? []
  const item = 'item' in edit ? items.find((each) => each.item === edit.item) : undefined
  if ('item' in edit && edit.sourceHash !== undefined && item !== undefined && item.sourceHash !== edit.sourceHash)
    throw new AppError('version_conflict', 'The original of this part has changed meanwhile. Please read it again.')
  if ('texts' in edit) {
    if (item === undefined) throw new AppError('not_found', 'The training has no such part any more.')
    if (item.texts.length !== edit.texts.length)
      throw new AppError('invalid_request', `This part has ${item.texts.length} texts, not ${edit.texts.length}.`)
    const empty = item.texts.findIndex((text, index) => text !== '' && edit.texts[index] === '')
    if (empty !== -1) throw new AppError('invalid_request', `“${item.texts[empty]}” has no translation yet.`)
    const target = { moduleId: module.id, language, item: item.item, writtenAt: context.nowMs() }
    return storeEdit(context.db, { ...target, sourceHash: item.sourceHash, texts: edit.texts })
  }
  const hashes = new Map(items.map(({ item, sourceHash }) => [item, sourceHash]))
  const rows = await listTranslations(context.db, { moduleId: module.id, language })
  const isMeant = (row: TranslationRow) => ('item' in edit ? row.item === edit.item : row.state !== 'kept_back')
  const meant = rows.filter((row) => isMeant(row) && hashes.get(row.item) === row.sourceHash)
  if (meant.length === 0) throw new AppError('not_found', 'There is no translation to approve.')
  await approve(context.db, { moduleId: module.id, language, items: meant })
}
