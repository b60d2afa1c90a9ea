import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '#contract/languages.ts'
import * as m from '#messages/pages'
import { RULES } from '#worker/domain/translation/language-rules.ts'

/** Letters that no other of the app's languages has. */
const LETTERS: [RegExp, InterfaceLanguage][] = [
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Han}/u, 'zh'],
  [/[ąćęłńśźż]/i, 'pl'],
  [/[ğışİ]/, 'tr'],
]

/** English questions share short words such as "do" and "a" with others, so that its own count for more. */
const ENGLISH =
  /\b(?:how|what|where|when|why|which|who|whose|do|does|did|can|could|should|would|i|my|a|an|the|is|are|was|it|this|that|of|to|for|with|in|on|you|and|no|me)\b/gi

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

/** Finds the language of a text by its letters and its most frequent words; null where neither says one. */
export function findTextLanguage(text: string): InterfaceLanguage | null {
  const byLetters = LETTERS.find(([letters]) => letters.test(text))
  if (byLetters !== undefined) return byLetters[1]
  const counts = INTERFACE_LANGUAGES.flatMap((tag) => {
    const rules = RULES[tag]
    const pattern = tag === 'en' ? ENGLISH : rules?.frequent
    return pattern === undefined ? [] : [{ tag, count: text.match(pattern)?.length ?? 0 }]
  })
  const [best, next] = counts.toSorted((left, right) => right.count - left.count)
  return best !== undefined && best.count > (next?.count ?? 0) ? best.tag : null
}
