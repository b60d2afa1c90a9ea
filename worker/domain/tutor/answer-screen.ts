import type { ScreenBlock } from '#contract/screen.ts'
import { estimateTokens } from '#worker/domain/prompt-data.ts'
import { cleanAnswer } from './check-answer.ts'
import { findShown, measureSaid } from './find-shown.ts'
import type { ScreenLine, TutorIndex, TutorScreen } from './open-index.ts'
import type { QuotedSentence } from './quote-moments.ts'
import type { Asked, Ranking } from './rank-passages.ts'
import { asksWhatToType, readSubject, stemsOf } from './screen-question.ts'
import { listRows } from './screen-rows.ts'
import { listSynonyms } from './words/synonyms.ts'

/** Texts that are nearer to each other, as a share of the height, stand in one line. */
const SAME_LINE = 0.02

/** Makes what the tutor knows of a screen, in reading order; null where nothing was read. @param read in order of time */
export function makeScreen(read: readonly ScreenBlock[]): TutorScreen | null {
  if (read.length === 0) return null
  const lineOf = ({ box }: ScreenBlock) => Math.round(box.y / SAME_LINE)
  const blocks = read.toSorted(
    (left, right) => left.startMs - right.startMs || lineOf(left) - lineOf(right) || left.box.x - right.box.x,
  )
  const lines = blocks.map(({ text, startMs, endMs, kind }, index): ScreenLine => {
    return { id: `screen-${index}`, startMs, endMs, text, onScreen: kind }
  })
  return { lines, stems: lines.map(({ text }) => stemsOf(text)), rows: listRows(blocks) }
}

interface Searched {
  query: Asked
  ranking: Ranking
}

/** What is typed is often said before it is typed, and sometimes explained after it. */
const SAID_BEFORE_MS = 20_000
const SAID_AFTER_MS = 10_000
/** A word that stands for another one, or is said beside the line, counts for less than one on it. */
const SYNONYM_GAIN = 0.7
const SAID_GAIN = 0.9
/** Decides between lines that are as good: how near the viewer is. */
const NEAR_GAIN = 0.1
const NEAR_MS = 60_000

/** A line with the shares of a question that it has, 0 to 1. */
interface RatedLine {
  line: ScreenLine
  /** On the line alone. */
  own: number
  /** On the line, or said about it. */
  all: number
}

/** Rates lines by the words of a question that are on them or said about them. */
function rateLines(index: TutorIndex, { query, ranking }: Searched): RatedLine[] {
  const { lines = [], stems = [] } = index.screen ?? {}
  const subject = readSubject(query.question)
  const weights = new Map(ranking.question.terms.map(({ stem, strictWeight }) => [stem, strictWeight]))
  const weightOf = (stem: string) => weights.get(stem) ?? 1
  const total = subject.reduce((sum, stem) => sum + weightOf(stem), 0) || 1
  const gainOf = (stem: string, words: ReadonlySet<string>) =>
    words.has(stem) ? 1 : [...listSynonyms(stem)].some((other) => words.has(other)) ? SYNONYM_GAIN : 0
  const findSaid = openSaid(index)
  return lines.map((line, at) => {
    const words = stems[at] ?? new Set()
    const saidWords = line.onScreen === 'command' || line.onScreen === 'code' ? findSaid(line) : new Set<string>()
    const sumOf = (gain: (stem: string) => number) =>
      subject.reduce((sum, stem) => sum + weightOf(stem) * gain(stem), 0) / total
    const own = sumOf((stem) => gainOf(stem, words))
    const all = sumOf((stem) => Math.max(gainOf(stem, words), SAID_GAIN * gainOf(stem, saidWords)))
    return { line, own, all }
  })
}

/** Finds the stems of what is said around a line, and of the title of its step. */
function openSaid({ segments, steps }: TutorIndex): (line: ScreenLine) => ReadonlySet<string> {
  const stems = new Map<string, ReadonlySet<string>>()
  const read = (text: string) => {
    const found = stems.get(text) ?? stemsOf(text)
    stems.set(text, found)
    return found
  }
  return ({ startMs }) => {
    const said = segments.filter(
      (segment) => segment.startMs < startMs + SAID_AFTER_MS && segment.endMs > startMs - SAID_BEFORE_MS,
    )
    const step = steps.find(({ start, end }) => startMs >= start * 1_000 && startMs < end * 1_000)
    const texts = [...said.map(({ text }) => text), step?.title ?? '']
    return new Set(texts.flatMap((text) => [...read(text)]))
  }
}

/** Share of a question that is needed where nothing else answers it: most of its words. */
const MIN_ALL = 0.6

/**
 * Quotes what the screen shows of a question: a command before all, other lines where they have at least as much of it
 * as what is said; none where none does.
 * @param what whether something said or noted answers it, too
 */
export function quoteLines(
  index: TutorIndex,
  searched: Searched,
  { isAnswered }: { isAnswered: boolean },
): QuotedSentence[] {
  if (index.screen === null) return []
  const { question } = searched.query
  const typed = asksWhatToType(question) ? findTyped(index, searched) : null
  const rows = typed === null ? findShown(index, searched, isAnswered ? measureSaid(index, searched) : 0) : [typed]
  if (!rows.every(({ text }) => isQuotable(text))) return []
  return rows.map(({ text, startMs }) => ({ text, segmentIds: [], startMs, screenMs: [startMs] }))
}

/** Text that an answer would show otherwise than the screen is not quoted: a command has to be exact. */
function isQuotable(text: string): boolean {
  return cleanAnswer(text) === text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function findTyped(index: TutorIndex, searched: Searched): ScreenLine | null {
  const { query } = searched
  const isTyped = ({ onScreen }: ScreenLine) => onScreen === 'command' || onScreen === 'code'
  if (readSubject(query.question).length === 0) {
    return findAt((index.screen?.lines ?? []).filter(isTyped), index, query)
  }
  const rated = rateLines(index, searched).filter(({ line, all }) => isTyped(line) && all >= MIN_ALL)
  return pickBest(rated, query, ({ own, all }) => own + all)
}

function pickBest(
  rated: readonly RatedLine[],
  { timeMs }: Asked,
  rate: (each: RatedLine) => number,
): ScreenLine | null {
  const near = ({ startMs }: ScreenLine) =>
    timeMs === null || timeMs === undefined ? 0 : NEAR_GAIN * Math.exp(-Math.abs(startMs - timeMs) / NEAR_MS)
  const [best] = rated.toSorted((left, right) => rate(right) + near(right.line) - rate(left) - near(left.line))
  return best?.line ?? null
}

/** A viewer asks shortly after a command has come, or shortly before. */
const SOON_MS = 5_000

/** The command that is being typed where the viewer is: the last one so far in the step, otherwise its first. */
function findAt(commands: readonly ScreenLine[], { steps }: TutorIndex, { timeMs, stepId }: Asked): ScreenLine | null {
  const named = steps.find(({ id }) => id === stepId)
  const atMs = timeMs ?? (named && named.start * 1_000) ?? null
  if (atMs === null) return null
  const step = named ?? steps.findLast(({ start }) => start * 1_000 <= atMs)
  const [fromMs, toMs] = step ? [step.start * 1_000, step.end * 1_000] : [atMs - NEAR_MS, atMs + NEAR_MS]
  const inside = commands.filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
  return inside.findLast(({ startMs }) => startMs <= atMs + SOON_MS) ?? inside[0] ?? null
}

/** As many as notes: what a model is shown of a screen next to the transcript. */
const SHOWN_MAX_TOKENS = 1_500
/** Number, time, kind and line break. */
const TOKENS_PER_LINE = 12

/** A line is explained by those beside it: a name by its title, an option by its description. */
const BESIDE_MS = 2_000
const BESIDE_LINES = 3
const BESIDE_GAIN = 0.6
/** Of what is said: it says where to look, the words of the question say at what. */
const NEAR_SAID_GAIN = 0.3

/** Chooses the lines that a model is shown: all, or those that most likely answer, each text once, in order of time. */
export function chooseLines(index: TutorIndex, searched: Searched): ScreenLine[] {
  const { lines = [] } = index.screen ?? {}
  const tokensOf = ({ text }: ScreenLine) => TOKENS_PER_LINE + estimateTokens(text)
  if (lines.reduce((sum, line) => sum + tokensOf(line), 0) <= SHOWN_MAX_TOKENS) return [...lines]
  const { passages } = searched.ranking
  const { timeMs } = searched.query
  const isNear = ({ startMs, endMs }: ScreenLine) =>
    passages.some((passage) => passage.startMs <= endMs && passage.endMs >= startMs)
  const isVisible = ({ startMs, endMs }: ScreenLine) =>
    timeMs !== null && timeMs !== undefined && startMs <= timeMs + SOON_MS && endMs >= timeMs - SOON_MS
  const rated = rateLines(index, searched)
  const rate = ({ line, own, all }: RatedLine, at: number) => {
    const beside = rated
      .slice(Math.max(0, at - BESIDE_LINES), at + BESIDE_LINES + 1)
      .filter((other) => Math.abs(other.line.startMs - line.startMs) <= BESIDE_MS)
    const most = Math.max(...beside.map((other) => other.own))
    return 2 * Math.max(own, BESIDE_GAIN * most) + all + NEAR_SAID_GAIN * Number(isNear(line)) + Number(isVisible(line))
  }
  const ranked = rated
    .map((each, at) => ({ line: each.line, rating: rate(each, at) }))
    .toSorted((left, right) => right.rating - left.rating)
  const chosen = new Map<string, ScreenLine>()
  let tokens = 0
  for (const { line } of ranked) {
    if (chosen.has(line.text)) continue
    tokens += tokensOf(line)
    if (tokens > SHOWN_MAX_TOKENS) break
    chosen.set(line.text, line)
  }
  const isChosen = new Set(chosen.values())
  return lines.filter((line) => isChosen.has(line))
}
