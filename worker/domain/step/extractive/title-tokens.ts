import { trimEndOf } from '#contract/trim-end.ts'
import type { Sentence } from './sentences.ts'

/** A word of a sentence as a title could show it. */
export interface TitleToken {
  /** As said, without punctuation around it. */
  shown: string
  word: string
  /** Punctuation follows: a phrase ends here. */
  isBreak: boolean
}

/** Splits a sentence into the words that titles are made of. */
export function readTitleTokens(sentence: Sentence): TitleToken[] {
  return sentence.text.split(/\s+/).flatMap((raw) => {
    const shown = trimEndOf(raw.replace(/^[^\p{L}\p{N}$#@./]+/u, ''), /[^\p{L}\p{N}+#%$]/u).replaceAll('’', "'")
    return /[\p{L}\p{N}]/u.test(shown)
      ? [{ shown, word: shown.toLowerCase(), isBreak: /[,.;:?!)\]…—–"”]$/.test(raw) }]
      : []
  })
}
