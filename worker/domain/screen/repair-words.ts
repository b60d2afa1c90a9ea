import type { ScreenBlock } from '#contract/screen.ts'
import { isContentWord, splitWords, stemWord } from '#worker/domain/step/extractive/sentences.ts'
import { UNSPACED } from '#worker/ports/speech-to-text.ts'
import type { TimeRange } from './step-commands.ts'

/** A line of a transcript as it was transcribed. */
export interface HeardLine extends TimeRange {
  text: string
  /** Which of its words may not have been said, counted from 0. */
  unsure: readonly number[]
}

/** How far from any moment of a line a text may be visible: the word's own moment is not known. */
const NEAR_MS = 10_000
/** A name of several words has at most so many, and so many words may have been heard for one. */
const WORDS_MAX = 3
/** Shorter words are like too many others. */
const LETTERS_MIN = 4
/** Letters for each of which one may be another. */
const LETTERS_PER_EDIT = 4
const EDITS_MAX = 3

/** What is written as no ordinary word is: LibreOffice, GIMP, LS_COLORS, h264. */
const IS_NAME = /\p{Ll}\p{Lu}|\p{Lu}{2}|\p{L}[_\p{N}]/u

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

/** What was heard for a name, without the marks around it, and the name. */
export interface WordRepair {
  from: string
  to: string
}

/** The same, with the time of its line. */
export type SaidRepair = WordRepair & TimeRange

/**
 * Writes names that the screen shows in the place of words of a line that may not have been said, where these are nearly
 * the same letters. All other words stay.
 * @returns the text of the line, the same where nothing is repaired
 */
export function repairWords(
  line: HeardLine,
  blocks: readonly ScreenBlock[],
): { text: string; repairs: readonly WordRepair[] } {
  const asHeard = { text: line.text, repairs: [] }
  if (line.unsure.length === 0 || UNSPACED.test(line.text)) return asHeard
  const visible = blocks.filter((block) => isNear(block, line))
  if (visible.length === 0) return asHeard
  const words = line.text.split(' ')
  const names = listNames(visible)
  const shown = new Set(visible.flatMap(({ text }) => text.split(/\s+/u).map(fold)))
  const unsure = new Set(line.unsure)
  const repaired: string[] = []
  const repairs: WordRepair[] = []
  for (let index = 0; index < words.length; ) {
    const spans = unsure.has(index) ? listSpans(words, index, unsure) : []
    const best = findBest(
      spans.filter((span) => span.wordCount > 1 || !shown.has(fold(span.text))),
      names,
    )
    repaired.push(best === null ? (words[index] ?? '') : `${best.span.before}${best.name}${best.span.after}`)
    if (best !== null) repairs.push({ from: best.span.text, to: best.name })
    index += best?.span.wordCount ?? 1
  }
  return { text: repaired.join(' '), repairs }
}

function isNear(block: TimeRange, line: TimeRange): boolean {
  return block.startMs <= line.startMs + NEAR_MS && block.endMs >= line.endMs - NEAR_MS
}

/** Lists names by their letters: what is typed, labels and their words, and elsewhere what is no ordinary word. */
function listNames(blocks: readonly ScreenBlock[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { kind, text } of blocks) {
    const words = text.split(/\s+/u).map((word) => splitMarks(word).text)
    const isTyped = kind === 'command' || kind === 'code'
    const named = words.filter((word) => isTyped || IS_NAME.test(word) || (kind === 'label' && /^\p{Lu}/u.test(word)))
    const whole = kind === 'label' && words.length <= WORDS_MAX ? [words.join(' ')] : []
    for (const name of [...named, ...whole]) if (fold(name).length >= LETTERS_MIN) names.set(fold(name), name)
  }
  return names
}

/** Words that may stand for one name. */
interface Span {
  wordCount: number
  /** Without the marks around it. */
  text: string
  before: string
  after: string
}

/** Takes the marks off that stand around words. */
function splitMarks(words: string): Omit<Span, 'wordCount'> {
  const text = words.replace(/^[^\p{L}\p{N}]+/u, '')
  const end = Array.from(text).findLastIndex((letter) => /[\p{L}\p{M}\p{N}]/u.test(letter)) + 1
  const bare = Array.from(text).slice(0, end).join('')
  return { before: words.slice(0, words.length - text.length), text: bare, after: text.slice(bare.length) }
}

/** Lists the words from one on, as far as all of them are unsure and nothing divides them. */
function listSpans(words: readonly string[], from: number, unsure: ReadonlySet<number>): Span[] {
  const spans: Span[] = []
  for (let wordCount = 1; wordCount <= WORDS_MAX && unsure.has(from + wordCount - 1); wordCount += 1) {
    const span = { wordCount, ...splitMarks(words.slice(from, from + wordCount).join(' ')) }
    if (splitWords(span.text).some(isContentWord)) spans.push(span)
    if (span.after !== '') break
  }
  return spans
}

/** Finds the name that is nearest to one of the spans; null where two are, and where the same would be written. */
function findBest(spans: readonly Span[], names: ReadonlyMap<string, string>): { span: Span; name: string } | null {
  let found: { span: Span; names: string[]; edits: number } | null = null
  for (const span of spans) {
    const heard = fold(span.text)
    for (const [letters, name] of names) {
      const editsMax = Math.min(EDITS_MAX, Math.floor(Math.min(heard.length, letters.length) / LETTERS_PER_EDIT))
      if (editsMax === 0 || Math.abs(heard.length - letters.length) > editsMax || isOtherForm(heard, letters)) continue
      const edits = countEdits(heard, letters)
      if (edits > Math.min(editsMax, found?.edits ?? editsMax)) continue
      if (found === null || edits < found.edits) found = { span, names: [name], edits }
      else if (found.span === span) found.names.push(name)
    }
  }
  const [name = '', ...others] = found?.names ?? []
  const isSame = found === null || found.span.text.toLowerCase() === name.toLowerCase()
  return isSame || others.length > 0 ? null : { span: found?.span as Span, name }
}

/** Whether two words differ by an ending alone. */
function isOtherForm(one: string, other: string): boolean {
  return one !== other && (one.startsWith(other) || other.startsWith(one) || stemWord(one) === stemWord(other))
}

/** Counts the letters that are added, left out or replaced (Levenshtein). */
function countEdits(from: string, to: string): number {
  const [source, target] = [Array.from(from), Array.from(to)]
  let row = Array.from({ length: target.length + 1 }, (_, index) => index)
  for (const [index, letter] of source.entries()) {
    const next = [index + 1]
    for (const [column, other] of target.entries())
      next.push(
        Math.min((row[column] ?? 0) + (letter === other ? 0 : 1), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Puts names in the place of what was heard for them in a text that was written from those words. */
export function replaceHeard(text: string, repairs: readonly WordRepair[]): string {
  return repairs.reduce((result, { from, to }) => replaceWhole(result, from, to), text)
}

function replaceWhole(text: string, from: string, to: string): string {
  // Some letters are longer in lower case.
  const isAligned = text.toLowerCase().length === text.length
  const [searched, word] = isAligned ? [text.toLowerCase(), from.toLowerCase()] : [text, from]
  const isLetter = (at: number) => /[\p{L}\p{M}\p{N}]/u.test(searched.charAt(at))
  let result = ''
  let done = 0
  for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + word.length)) {
    if (isLetter(at - 1) || isLetter(at + word.length)) continue
    result += text.slice(done, at) + to
    done = at + word.length
  }
  return result + text.slice(done)
}
