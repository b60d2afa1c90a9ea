import { trimEndOf } from '#contract/trim-end.ts'
import type { SaidText } from './read-whisper.ts'

/** "[BLANK_AUDIO]", "(upbeat music)", "*sighs*": a name for what is not speech. By its first letter, what ends it. */
const CLOSING: Record<string, string> = { '[': ']', '(': ')', '（': '）', '【': '】', '*': '*' }
/** "♪ … ♪": words that are sung. */
const NOTE = /[♪♫🎵🎶]/u
const BETWEEN_MARKS = /[\s.,!?-]/
/** What opens a mark, and whether a word ends it. */
const ENDS: Record<string, { test: (word: string) => boolean }> = {
  '[': endingWith(']'),
  '【': endingWith('】'),
  '(': endingWith(')'),
  '（': endingWith('）'),
  '♪': /[♪♫]$/u,
  '♫': /[♪♫]$/u,
  '🎵': /[🎵🎶]$/u,
  '🎶': /[🎵🎶]$/u,
}
/** A verse; the name of a noise is shorter. */
const MARK_MAX_WORDS = 30
/** In a transcript, round brackets may hold speech: only these words make them the name of a noise. */
const AUDIO_FILES =
  /music|applau|laugh|chuckl|silence|noise|inaudible|unintelligible|blank|audio|speaking|foreign|beep|typing|clicking|breath|sigh|cough|ding|chime|musik|musique|música|musica|音楽|音乐|음악|музыка|拍手/iu

/** What a word has behind its last letter may hold the sign that ends a mark. */
function endingWith(sign: string) {
  return { test: (word: string) => word.slice(trimEndOf(word, /\W/u).length).includes(sign) }
}

/** Whether a text is only the names of noises, or only sung. */
export function isOnlyMarks(text: string): boolean {
  const signs = Array.from(text.trimStart())
  let at = 0
  let marks = 0
  while (at < signs.length) {
    const end = BETWEEN_MARKS.test(signs[at] ?? '') && marks > 0 ? at + 1 : endOfMark(signs, at)
    if (end === null) return false
    at = end
    marks += 1
  }
  return marks > 0
}

/** Behind the mark that begins at a place; null where none does. */
function endOfMark(signs: readonly string[], at: number): number | null {
  const sign = signs[at] ?? ''
  if (NOTE.test(sign)) {
    let next = at + 1
    while (next < signs.length && BETWEEN_MARKS.test(signs[next] ?? '')) next += 1
    while (next < signs.length && !NOTE.test(signs[next] ?? '')) next += 1
    const isSong = next < signs.length && signs.slice(at + 1, next).some((each) => !BETWEEN_MARKS.test(each))
    return isSong ? next + 1 : at + 1
  }
  const closing = CLOSING[sign]
  const end = closing === undefined ? -1 : signs.indexOf(closing, at + 1)
  return end === -1 ? null : end + 1
}

/** Whether a segment is sung; a song over several segments has its closing mark in a later one. */
export function isSung(text: string): boolean {
  return /^[♪♫🎵🎶]/u.test(text)
}

function findEnd<Word extends SaidText>(words: Word[], from: number): number | null {
  const [open = ''] = words[from]?.text ?? ''
  const end = ENDS[open]
  if (end === undefined) return null
  const isAlone = (words[from]?.text ?? '').length === open.length
  const until = Math.min(words.length, from + MARK_MAX_WORDS)
  for (let at = isAlone ? from + 1 : from; at < until; at++) if (end.test(words[at]?.text ?? '')) return at
  return null
}

/** Drops the names of noises from between words that were said; they may be one word or several. */
export function dropMarks<Word extends SaidText>(words: Word[]): Word[] {
  const kept: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const end = findEnd(words, at)
    const mark =
      end === null
        ? ''
        : words
            .slice(at, end + 1)
            .map((word) => word.text)
            .join(' ')
    const word = words[at]
    if (end !== null && (!/^[(（]/u.test(mark) || AUDIO_FILES.test(mark))) at = end
    else if (word !== undefined && !/^\*\p{L}+\*\W*$/u.test(word.text)) kept.push(word)
  }
  return kept
}
