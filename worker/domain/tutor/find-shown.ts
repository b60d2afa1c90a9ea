import type { ScreenRow, ShownRows, TutorIndex } from './open-index.ts'
import type { Asked, Ranking } from './rank-passages.ts'
import { asksForOutput, asksWhatToType, readSubject, stemsOf } from './screen-question.ts'
import { listSynonyms } from './words/synonyms.ts'
import { findWords, isTerm, stemTerm } from './words/words.ts'

interface Searched {
  query: Asked
  ranking: Ranking
}

/** Share of a question that rows need: most of its words. */
const MIN_SHARE = 0.6
/** A word that stands for another one, or is cut short, counts for less than the word itself. */
const OTHER_GAIN = 0.7
/** Names of files and settings are cut short: "conf" for "configuration". */
const MIN_SHORT_CHARS = 4
/** Decides between rows that are as good: how near the viewer is. */
const NEAR_GAIN = 0.1
const NEAR_MS = 60_000

interface Rated {
  shown: ShownRows
  share: number
  /** Of all its words, those by which it asks among them. */
  worded: number
  nearness: number
}

/**
 * Finds what the screen shows of a question: rows that have most of it, and say more than it.
 * @param leastShare how much of it they need at least
 */
export function findShown(index: TutorIndex, { query, ranking }: Searched, leastShare: number): readonly ScreenRow[] {
  const { rows = [] } = index.screen ?? {}
  const output = asksForOutput(query.question) ? findOutput(rows, query.question) : null
  if (output !== null) return output.rows
  const rate = openRating({ query, ranking })
  const rated = rows.flatMap((shown) => rate(shown) ?? [])
  const [best] = rated
    .filter(({ share }) => share >= Math.max(MIN_SHARE, leastShare))
    .toSorted((left, right) => compare(left, right))
  return best?.shown.rows ?? []
}

function compare(left: Rated, right: Rated): number {
  const rate = ({ share, nearness }: Rated) => share + nearness
  const length = ({ shown }: Rated) => shown.rows.reduce((sum, { text }) => sum + text.length, 0)
  return (
    rate(right) - rate(left) ||
    Number(left.shown.isReplaced) - Number(right.shown.isReplaced) ||
    right.worded - left.worded ||
    length(left) - length(right)
  )
}

function openRating({ query, ranking }: Searched): (shown: ShownRows) => Rated | null {
  const { question, timeMs } = query
  const shareOf = openShare({ query, ranking })
  const asked = stemsOf(question)
  const numbers = findWords(question).filter((word) => /^\d/u.test(word))
  return (shown) => {
    const { words, kinds } = shown
    // What only repeats the question answers nothing.
    if ([...words].every((word) => asked.has(word))) return null
    if (!numbers.every((number) => words.has(number))) return null
    const share = shareOf(kinds.length === 0 ? words : new Set([...words, ...kinds]))
    const worded = [...asked].filter((word) => words.has(word)).length
    const startMs = shown.rows.at(-1)?.startMs ?? 0
    const isPlaced = timeMs !== null && timeMs !== undefined
    const nearness = isPlaced ? NEAR_GAIN * Math.exp(-Math.abs(startMs - timeMs) / NEAR_MS) : 0
    return { shown, share, worded, nearness }
  }
}

/** Measures how much of what a question is about is among some words, by weight, 0 to 1. */
function openShare({ query, ranking }: Searched): (words: ReadonlySet<string>) => number {
  const subject = readSubject(query.question)
  const weights = new Map(ranking.question.terms.map(({ stem, strictWeight }) => [stem, strictWeight]))
  const weightOf = (stem: string) => weights.get(stem) ?? 1
  const total = subject.reduce((sum, stem) => sum + weightOf(stem), 0) || 1
  return (words) => subject.reduce((sum, stem) => sum + weightOf(stem) * gainOf(stem, words), 0) / total
}

/** Measures how much of a question is said where it is said most, as {@link findShown} measures rows. */
export function measureSaid({ tokens }: TutorIndex, searched: Searched): number {
  const shareOf = openShare(searched)
  const shares = searched.ranking.passages.map(({ from, to }) => {
    return shareOf(new Set(tokens.slice(from, to).map(({ stem }) => stem)))
  })
  return Math.max(0, ...shares)
}

function gainOf(stem: string, words: ReadonlySet<string>): number {
  if (words.has(stem)) return 1
  if ([...listSynonyms(stem)].some((other) => words.has(other))) return OTHER_GAIN
  return [...words].some((word) => word.length >= MIN_SHORT_CHARS && stem.startsWith(word)) ? OTHER_GAIN : 0
}

/** Finds the first line that the command printed which a question names; of several commands, the longest. */
function findOutput(rows: readonly ShownRows[], question: string): ShownRows | null {
  const asked = new Set(findWords(question))
  const lengthOf = ({ rows: [command] }: ShownRows) => new Set(findWords(command?.text ?? '')).size
  const named = rows.filter(({ isOutput, rows: [command] }) => {
    const words = findWords(command?.text ?? '')
    return isOutput && words.length > 0 && words.every((word) => asked.has(word))
  })
  const [best] = named.toSorted((left, right) => lengthOf(right) - lengthOf(left))
  return best ?? null
}

/** Values by which people ask for a number; the answer has the number in their place. */
const VALUES = new Set(
  'version value year number percent percentage rate ratio share size amount date time minute hour second large long'
    .split(' ')
    .map(stemTerm),
)

/** Asks for a text as it is written. */
const ASKS_EXACTLY = /\b(?:(?:which|what) (?:entry|line|field|value|option|address)|written|spelled)\b/iu
/** Asks for digits. */
const ASKS_DIGITS = /\b(?:which|what) (?:version|port|date|number)\b/iu

/** Whether what is said can answer a question: in a video with text on its screen, digits are answered by digits. */
export function canAnswer({ screen }: TutorIndex, question: string, said: string): boolean {
  return screen === null || !ASKS_DIGITS.test(question) || /\d/u.test(said)
}

/**
 * Whether a question asks for a value or a command of something that a video with text on its screen neither says nor
 * shows: what is said of anything else is no answer to it.
 */
export function asksForUnknown({ screen }: TutorIndex, { query, ranking }: Searched): boolean {
  if (screen === null) return false
  const { terms, expects } = ranking.question
  const isTyped = asksWhatToType(query.question)
  const isExact = isTyped || ASKS_EXACTLY.test(query.question)
  if (!isExact && !expects.number) return false
  const shown = screen.lines.flatMap(({ onScreen }, at) =>
    isTyped && onScreen !== 'command' && onScreen !== 'code' ? [] : [...(screen.stems[at] ?? [])],
  )
  const words = new Set(shown)
  const subject = new Set(readSubject(query.question).filter((stem) => isTerm(stem) && !VALUES.has(stem)))
  return terms.some(({ stem, matches }) => {
    const said = isExact ? matches.filter((match) => !listSynonyms(stem).has(match.stem)) : matches
    return subject.has(stem) && said.length === 0 && gainOf(stem, words) === 0
  })
}
