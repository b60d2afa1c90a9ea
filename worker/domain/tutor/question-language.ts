import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '#contract/languages.ts'
import * as m from '#messages/pages'
import { scoreLanguages } from '#worker/domain/language/find-language.ts'

/** The two questions that the chat offers, in all of its languages. */
export const QUICK_PROMPTS = { walk: m.page_tutor_walk_prompt, next: m.page_tutor_next_prompt }

/** Reads which of the quick prompts a question is, and in which language. */
export function readQuickPrompt(question: string): { kind: keyof typeof QUICK_PROMPTS; tag: InterfaceLanguage } | null {
  const plainQuestion = plainWords(question)
  for (const tag of INTERFACE_LANGUAGES)
    for (const kind of ['walk', 'next'] as const)
      if (plainQuestion !== '' && plainQuestion === plainWords(QUICK_PROMPTS[kind](tag))) return { kind, tag }
  return null
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M} ]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Finds the language of a question; English where nothing says which it is. */
export function languageOfQuestion(question: string): InterfaceLanguage {
  return readQuickPrompt(question)?.tag ?? findTextLanguage(question) ?? 'en'
}

/** Finds the language of the app that most speaks for in a text; null where as much speaks for two. */
export function findTextLanguage(text: string): InterfaceLanguage | null {
  const scores = scoreLanguages(text)
  const found = INTERFACE_LANGUAGES.map((tag) => ({ tag, score: scores.get(tag) ?? 0 }))
  const [best, next] = found.toSorted((left, right) => right.score - left.score)
  return best !== undefined && best.score > (next?.score ?? 0) ? best.tag : null
}
