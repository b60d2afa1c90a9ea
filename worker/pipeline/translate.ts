import type { LanguageTag } from '#contract/languages.ts'
import type { TranslationState } from '#contract/translation.ts'
import type { Context, ServedContext } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { MODULE_SUBJECT } from '#worker/domain/module/module-subject.ts'
import { languageOfTask } from '#worker/domain/module/translate-tasks.ts'
import { paidTranslator } from '#worker/domain/quota/spend-ai.ts'
import type { RunFailure } from '#worker/domain/run/start-run.ts'
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
import { FAILURE_ITEM, PERSON, removeItems, storeTranslations } from '#worker/domain/translation/translation-store.ts'
import type { Translator } from '#worker/ports/translator.ts'
import type { Attempt, Task, TaskHandler } from '#worker/tasks/task.ts'
import { settleRepeated } from '#worker/tasks/task-store.ts'
import { failureOf } from './run-handlers.ts'

/** Calls of one task at a time: its invocation has six open connections, and the database and the bucket need some. */
const CALLS_AT_ONCE = 4

/**
 * Translates the items of a module that are missing in one language or have changed since. Each call's result is stored
 * at once, so a retry asks only for the remaining items. Items that an owner changes meanwhile stay due.
 */
async function translate(task: Task, context: ServedContext, { signal }: Attempt): Promise<void> {
  const claimedMs = context.nowMs()
  const moduleId = task.subjectId
  const language = languageOfTask(task)
  const source = await readSource(context, moduleId)
  if (language !== undefined && source?.module.languages.includes(language) === true) {
    const { stale, gone: orphanedItems } = await planTranslation(context, source, language)
    if (orphanedItems.length > 0) await removeItems(context.db, { task, language, items: orphanedItems })
    const given = stale.filter((item) => item.given?.language === language)
    if (given.length > 0) await storeGiven(context, { task, given, language })
    const untranslated = stale.filter((item) => !given.includes(item))
    if (untranslated.length > 0) await translateStale(context, { task, source, stale: untranslated, language }, signal)
  }
  await context.d1.batch(settleRepeated(context.d1, task, claimedMs))
}

/** Captions in two languages are translated by the person who made them. */
async function storeGiven(
  context: ServedContext,
  { task, given, language }: { task: Task; given: readonly HashedItem[]; language: LanguageTag },
): Promise<void> {
  const byPerson = { writer: PERSON, state: 'approved' as const, complaints: [], writtenAt: context.nowMs() }
  const rows = given.map(({ item, sourceHash, given: { texts = [] } = {} }) => {
    return { ...byPerson, moduleId: task.subjectId, language, item, sourceHash, texts }
  })
  await storeTranslations(context.d1, task, rows).run()
  await forgetShareSoon(context, task.subjectId)
}

interface StaleWork {
  task: Task
  source: TranslationSource
  stale: HashedItem[]
  language: LanguageTag
}

async function translateStale(
  context: ServedContext,
  { task, source, stale, language }: StaleWork,
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
        await translateBatch(context, { task, batch, assignment, translator }, signal)
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
  task: Task
  batch: HashedItem[]
  assignment: Assignment
  translator: Translator
}

async function translateBatch(
  context: ServedContext,
  { task, batch, assignment, translator }: BatchWork,
  signal: AbortSignal,
): Promise<void> {
  const parts = await translateItems(translator, { items: batch, assignment }, signal)
  const written = {
    moduleId: task.subjectId,
    language: assignment.to,
    writer: translator.name,
    writtenAt: context.nowMs(),
  }
  const rows = parts.map(({ source: { item, sourceHash }, texts, complaints }) => {
    const state: TranslationState = complaints.length > 0 ? 'kept_back' : translator.isRough ? 'rough' : 'good'
    return { ...written, item, sourceHash, texts, complaints, state }
  })
  await storeTranslations(context.d1, task, rows).run()
}

/** Reasons that the owner reads when a translation has failed; the owner can start it again. */
const REASONS: Partial<Record<RunFailure['code'], string>> = {
  gave_up: 'Translating was tried several times without success.',
  ai_busy: 'The translation service has been busy for three hours.',
}

/** Ends a translation that failed for good: learners read what there is, and the owner reads why. */
async function giveUpTranslation(task: Task, context: Context, error: unknown): Promise<void> {
  const language = languageOfTask(task)
  const { code, reason } = failureOf(error)
  const row = { moduleId: task.subjectId, item: FAILURE_ITEM, sourceHash: '', writer: '', complaints: [] }
  const failure = { texts: [code, REASONS[code] ?? reason], state: 'kept_back' as const, writtenAt: context.nowMs() }
  const rows = language === undefined ? [] : [{ ...row, ...failure, language }]
  await context.d1.batch([
    storeTranslations(context.d1, task, rows),
    ...settleRepeated(context.d1, task, context.nowMs()),
  ])
}

/** The task of translating a module into one language. */
export const TRANSLATE_HANDLER: TaskHandler = {
  subject: MODULE_SUBJECT,
  // It makes several calls at once.
  perInvocation: 1,
  isWatched: false,
  wakesBusy: false,
  run: translate,
  onGiveUp: giveUpTranslation,
  traceOf: ({ subjectId: moduleId }) => ({ moduleId }),
}
