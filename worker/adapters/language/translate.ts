import { z } from 'zod'
import { LANGUAGE_TAGS, type LanguageTag } from '#contract/languages.ts'
import { AppError } from '#worker/core/errors.ts'
import {
  TRANSLATE_MAX_TOKENS,
  TRANSLATE_SCHEMA,
  translatePrompt,
} from '#worker/domain/translation/prompts/translate.v1.ts'
import type { Translator } from '#worker/ports/translator.ts'
import { askBooked, type ChatModel, readJson, WHO } from './ask-model.ts'

/** The longest answer at 40 tokens a second. */
const TIMEOUT_MS = 100_000

const Translated = z.object({ texts: z.array(z.object({ number: z.coerce.number().int(), text: z.string() })) })

/**
 * Translation by a language model.
 * @param languages those that the model is made for
 */
export function makeTranslator(
  { name, ask }: ChatModel,
  languages: readonly LanguageTag[] = LANGUAGE_TAGS,
): Translator {
  return {
    name,
    isPaid: true,
    isRough: false,
    listTargets: async (from) => {
      const isKnown = languages.some((tag) => tag === from)
      return isKnown ? languages.filter((tag) => tag !== from) : []
    },
    async translate(task, signal, meter) {
      const how = { maxTokens: TRANSLATE_MAX_TOKENS, schema: TRANSLATE_SCHEMA, timeoutMs: TIMEOUT_MS, signal }
      const answer = readJson(await askBooked(ask, { ...how, messages: translatePrompt(task) }, meter))
      const { data } = Translated.safeParse(Array.isArray(answer) ? { texts: answer } : answer)
      const byNumber = new Map((data?.texts ?? []).map(({ number, text }) => [number, text]))
      const texts = task.texts.map((_text, index) => byNumber.get(index + 1) ?? '')
      // The check asks again for texts that are missing; an answer with none at all is a failure.
      if (texts.every((text) => text === '')) throw new AppError('ai_failed', `${WHO} gave no usable translation.`)
      return texts
    },
  }
}
