import { LANGUAGE_TAGS, type LanguageTag } from '#contract/languages.ts'
import type { TranslationState } from '#contract/translation.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { paidTranslator } from '#worker/domain/quota/spend-ai.ts'
import type { RunFailure } from '#worker/domain/run/start-run.ts'
import { settleTranslation, type Task } from '#worker/tasks/task-store.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { readTerms } from '#worker/domain/translation/glossary.ts'
import { batchItems } from '#worker/domain/translation/list-items.ts'
import {
  type HashedItem,
  planTranslation,
  readSource,
  type TranslationSource,
} from '#worker/domain/translation/read-source.ts'
import { type Assignment, translateItems } from '#worker/domain/translation/translate-items.ts'
import { FAILURE_ITEM, removeItems, storeTranslations } from '#worker/domain/translation/translation-store.ts'
import type { Translator } from '#worker/ports/translator.ts'
import type { Attempt } from '#worker/tasks/retry.ts'

/** Calls of one task at a time: its invocation has six open connections, and the database and the bucket need some. */
const CALLS_AT_ONCE = 4

/**
 * Translates what is missing of a module in one language, and what has changed since it was translated. Each call is
 * stored by itself, so a retry asks only for what is left. Whatever a person changes meanwhile is due again.
 */
export async function translate(task: Task, context: ServedContext, { signal }: Attempt): Promise<void> {
  const claimedMs = context.nowMs()
  const language = LANGUAGE_TAGS[task.index]
  const source = await readSource(context, task.moduleId)
  if (language !== undefined && source?.module.languages.includes(language) === true) {
    const { stale, gone } = await planTranslation(context, source, language)
    if (gone.length > 0) await removeItems(context.db, { moduleId: task.moduleId, language }, gone)
    if (stale.length > 0) await translateStale(context, { source, stale, language }, signal)
  }
  await settleTranslation(context.d1, task, claimedMs)
}

interface StaleWork {
  source: TranslationSource
  stale: HashedItem[]
  language: LanguageTag
}

async function translateStale(
  context: ServedContext,
  { source, stale, language }: StaleWork,
  signal: AbortSignal,
): Promise<void> {
  const { module, from } = source
  const translator = await openTranslator(context, { source, language }, signal)
  const terms = readTerms(module, from ?? '', language)
  const assignment = { from: from ?? '', to: language, moduleTitle: module.title, terms }
  const batches = batchItems(stale)
  const failures: unknown[] = []
  async function work(): Promise<void> {
    for (let batch = batches.shift(); batch !== undefined && failures.length === 0; batch = batches.shift()) {
      try {
        await translateBatch(context, { batch, assignment, translator, moduleId: module.id }, signal)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work))
  await forgetShareSoon(context, module.id)
  if (failures.length > 0) throw failures[0]
}

async function openTranslator(
  context: ServedContext,
  { source: { module, from }, language }: Pick<StaleWork, 'source' | 'language'>,
  signal: AbortSignal,
): Promise<Translator> {
  const { translator } = context.services
  const targets = translator === null || from === null ? [] : await translator.listTargets(from, signal)
  if (translator === null || !targets.includes(language))
    throw new AppError('ai_failed', 'There is no engine any more that translates this training into this language.')
  return paidTranslator(context, module, translator)
}

interface BatchWork {
  batch: HashedItem[]
  assignment: Assignment
  translator: Translator
  moduleId: string
}

async function translateBatch(
  context: ServedContext,
  { batch, assignment, translator, moduleId }: BatchWork,
  signal: AbortSignal,
): Promise<void> {
  const parts = await translateItems(translator, { items: batch, assignment }, signal)
  const written = { moduleId, language: assignment.to, writer: translator.name, writtenAt: context.nowMs() }
  const rows = parts.map(({ source: { item, sourceHash }, texts, complaints }) => {
    const state: TranslationState = complaints.length > 0 ? 'kept_back' : translator.isRough ? 'rough' : 'good'
    return { ...written, item, sourceHash, texts, complaints, state }
  })
  await storeTranslations(context.d1, rows)
}

/** Ends a translation that failed for good: learners read what there is, and the owner reads why. */
export async function giveUpTranslation(
  context: ServedContext,
  task: Task,
  { code, reason }: RunFailure,
): Promise<void> {
  const language = LANGUAGE_TAGS[task.index]
  const row = { moduleId: task.moduleId, item: FAILURE_ITEM, sourceHash: '', texts: [code, reason], writer: '' }
  const failure = { state: 'kept_back' as const, complaints: [], writtenAt: context.nowMs() }
  if (language !== undefined) await storeTranslations(context.d1, [{ ...row, ...failure, language }])
  await settleTranslation(context.d1, task, context.nowMs())
}
