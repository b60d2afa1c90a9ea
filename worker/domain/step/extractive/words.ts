import { STOP_WORDS } from './stop-words.ts'

const WORD = /[\p{L}\p{N}]+(?:[.'’_+#-][\p{L}\p{N}]+)*[+#]*/gu

/** The words of a text in lower case, apostrophes straightened, punctuation gone. */
export function splitWords(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"))
}

const STEM_RULES: readonly [RegExp, string][] = [
  [/'s$/, ''],
  [/ies$/, 'y'],
  [/sses$/, 'ss'],
  [/([^su])s$/, '$1'],
]
const SUFFIXES: readonly [string, string][] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['isation', 'ize'],
  ['ation', 'ate'],
  ['ement', ''],
  ['ment', ''],
  ['ness', ''],
  ['ingly', ''],
  ['edly', ''],
  ['ing', ''],
  ['ed', ''],
  ['er', ''],
  ['or', ''],
  ['ion', ''],
  ['ly', ''],
]
/** A stem keeps at least this many letters, or unrelated short words would fall together. */
const MIN_STEM_CHARS = 3

/** A light suffix stripper: "creates", "creating" and "creation" fall together. Not for display. */
export function stemWord(word: string): string {
  if (word.length <= MIN_STEM_CHARS) return word
  let stem = word
  for (const [pattern, replacement] of STEM_RULES) stem = stem.replace(pattern, replacement)
  const suffix = SUFFIXES.find(([ending]) => stem.endsWith(ending) && hasRoot(stem.slice(0, -ending.length)))
  if (suffix) stem = stem.slice(0, -suffix[0].length) + suffix[1]
  return stem.length > MIN_STEM_CHARS
    ? stem
        .replace(/([^aeiouylsz])\1$/, '$1')
        .replace(/e$/, '')
        .replace(/y$/, 'i')
    : stem
}

function hasRoot(root: string): boolean {
  return root.length >= MIN_STEM_CHARS && /[aeiouy]/.test(root)
}

/** True for a word that can distinguish one topic from another. */
export function isContentWord(word: string): boolean {
  return word.length > 1 && !STOP_WORDS.has(word) && /\p{L}/u.test(word)
}

/** The stems of the content words of a text, in order, with repetition. */
export function stemContentWords(words: readonly string[]): string[] {
  return words.filter(isContentWord).map(stemWord)
}
