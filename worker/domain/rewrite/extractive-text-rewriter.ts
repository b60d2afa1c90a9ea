import { trimEndOf } from '#worker/domain/trim-end.ts'
import type { TextRewriter } from '#worker/ports/language-model.ts'

/** Ends a word for sure: a point inside "npm.config" does not. */
const END = String.raw`(?=[\s,;:!?…]|\.(?:\s|$)|$)`
const FILLER = String.raw`(?<![\p{L}\p{N}.'’_+#-])(?:u+h+m*|u+m+|e+r+m+|hm+|mm+(?:-hm+)?)${END}`
/** Fillers that carry no meaning, whatever is around them; with both commas where they are set off. */
const FILLERS = new RegExp(String.raw`,\s*${FILLER},|${FILLER}[,…]*`, 'giu')
const ASIDES = String.raw`(?:you know|i mean|like|basically|actually|literally|sort of|kind of|you see|let['’]s see)`
/** Phrases that are fillers only where commas or the ends of a sentence set them off. */
const ASIDE_BETWEEN = new RegExp(String.raw`,\s*${ASIDES}\s*(?=,|[.!?…](?:\s|$)|$)`, 'giu')
const ASIDE_FIRST = new RegExp(String.raw`(?<=^|[.!?…]["'”’)]*\s)${ASIDES}\s*,\s*`, 'giu')
/** Words with which a speaker takes a breath: with a comma after them, or where nothing else can be meant. */
const BREATH_FIRST =
  /(?<=^|[.!?…]["'”’)]*\s)(?:(?:so|now|well|right|okay|ok|alright|all right|yeah|yes|and so|and then|and|but)\s*,\s*|(?:okay|ok|alright|yeah)\s+(?=\p{L})|so\s+(?=(?:i|you|we|it|they|he|she|this|the|a|an|let's|here|now|click|open|press|go|then)\b))/giu
/** Small words that are said twice while the next one is looked for; "very very" and "had had" are meant, "on.the the.file" are two names. */
const STUTTER =
  /(?<![\p{L}\p{N}.'’_+#-])(the|a|an|to|of|in|on|at|for|from|with|and|or|but|so|i|you|we|it|is|are|this|if|your|my|our|then|when)(?:,? \1)+(?![\p{L}\p{N}'’_+#-]|\.[\p{L}\p{N}])/giu
const SENTENCE_START = /(^|[.!?…]["'”’)]*\s+)(["'“‘(]*)(\p{Ll})(?=(\S*))/gu
/** "iPhone", "npm.config", "e.g.": words that are lower case on purpose. */
const SMALL_NAME = /^\p{Ll}+[\p{Lu}.\d_/][\p{L}\p{N}]/u

/**
 * Makes spoken words readable without a model: removes fillers, breaths and stutters; corrects blanks, casing and the
 * last full stop. Only removes words, never adds, changes or moves any; a text of nothing but fillers stays.
 */
export function cleanSpeech(text: string): string {
  const clean = repairCasing(repairPunctuation(dropFillers(joinLines(text))))
  return /[\p{L}\p{N}]/u.test(clean) ? clean : repairCasing(joinLines(text))
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Repeats until nothing changes: a filler may hide behind another one. */
function dropFillers(text: string): string {
  let before = ''
  let now = text
  while (now !== before) {
    before = now
    now = repairPunctuation(
      now
        .replace(BREATH_FIRST, '')
        .replace(FILLERS, ' ')
        .replace(ASIDE_BETWEEN, '')
        .replace(ASIDE_FIRST, '')
        .replace(STUTTER, '$1'),
    )
  }
  return now
}

/** Never takes away what stands between two words. */
function repairPunctuation(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,;:!?…]|\.(?:\s|$))/g, '')
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/,(?=[.!?](?:\s|$))/g, '')
    .replace(/([.!?])\s*,\s*/g, '$1 ')
    .replace(/([.!?])\.+(?=\s|$)/g, '$1')
    .replace(/^[\s,;:.]+/, '')
    .trim()
}

function repairCasing(text: string): string {
  const closed = trimEndOf(text, /[\s,;:–-]/)
  const ended = closed === '' || /[.!?…。！？:)\]"'”’]$/u.test(closed) ? closed : `${closed}.`
  return ended
    .replace(/(?<![\p{L}\p{N}'’-])i(?=$|[\s,.!?]|['’](?:m|ll|ve|d)\b)/gu, 'I')
    .replace(
      SENTENCE_START,
      (_, before: string, quote: string, first: string, rest: string) => before + quote + capitalize(first, rest),
    )
}

function capitalize(first: string, rest: string): string {
  const upper = first.toUpperCase()
  // "ß" would become two letters.
  const isPlain = upper.length === first.length && upper.toLowerCase() === first
  return SMALL_NAME.test(first + rest) || !isPlain ? first : upper
}

/** Rewrites by leaving words out: the offline rewriter, and the degraded mode when a hosted model fails. */
export const extractiveTextRewriter: TextRewriter = {
  name: 'extractive',
  async rewrite({ text }, signal) {
    signal.throwIfAborted()
    return cleanSpeech(text)
  },
}
