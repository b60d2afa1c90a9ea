import { LANGUAGE_TAGS } from '#contract/languages.ts'
import type { TranslateTask, Translator } from '#worker/ports/translator.ts'

/** A translator that answers what the test says, and remembers what it was asked. */
export interface FakeTranslator extends Translator {
  calls: TranslateTask[]
  /** All texts that it was asked for, in order. */
  asked(): string[]
}

/** Some words of Spanish, with which sentences of tests keep their numbers and negations. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdo not\b/gi, 'no'],
  [/\bnever\b/gi, 'nunca'],
  [/\bopen\b/gi, 'abra'],
  [/\btouch\b/gi, 'toque'],
  [/\bturn\b/gi, 'gire'],
  [/\bthe\b/gi, 'el'],
  [/\btimes\b/gi, 'veces'],
]

/** Translates as well as the tests need it. */
export function toSpanish(text: string): string {
  return WORDS.reduce((said, [english, spanish]) => said.replace(english, spanish), text)
}

/** Makes such a translator. @param answer of one text, at the number of the call, from 1 */
export function fakeTranslator(
  answer: (text: string, call: number, task: TranslateTask) => string | Promise<string> = toSpanish,
  { isPaid = false, isRough = false }: { isPaid?: boolean; isRough?: boolean } = {},
): FakeTranslator {
  const calls: TranslateTask[] = []
  return {
    name: 'fake',
    isPaid,
    isRough,
    calls,
    asked: () => calls.flatMap(({ texts }) => texts),
    listTargets: async (from) => LANGUAGE_TAGS.filter((tag) => tag !== from),
    translate: async (task) => {
      const call = calls.push(task)
      return Promise.all(task.texts.map(async (text) => answer(text, call, task)))
    },
  }
}
