import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { openIndex, type Passage, readAround, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { findWords, isTerm } from '#worker/domain/tutor/words/words.ts'
import { type GoldItem, readSegments } from '../steps/predict-steps.ts'

/** One question about one recording; seconds. */
export interface Question {
  item: GoldItem
  question: string
  /** Where the answer is said; null where the recording has none. */
  span: { start: number; end: number } | null
  /** Words that a right answer has, `|` between those that will do; only where a model's answers are measured. */
  says?: readonly string[]
  /** It is asked after the one before it. */
  follows?: boolean
}

export const SET_NAMES = ['qa', 'own', 'unseen', 'lines', 'chapters'] as const
export type SetName = (typeof SET_NAMES)[number]
export type QuestionSets = Readonly<Record<SetName, readonly Question[]>>

/** Either with the place of its answer, or with the numbers of the segments that answer it. */
type Written = Omit<Question, 'item' | 'span'> & { item: string } & (
    | Pick<Question, 'span'>
    | { lines: number[] | null }
  )

/** Titles of one word ask for nothing. */
const MIN_TITLE_TERMS = 2
/** A title is asked of the recording this many further in its group, which does not have that chapter. */
const OTHER_RECORDING = 7

/**
 * `qa`: questions that people wrote for the benchmark; `own`: ours, about other recordings of it; `unseen`: ours too,
 * about recordings that nothing was fitted to and whose misses were not looked at; `lines`: ours about the recordings of
 * `claims.json`, half of them without an answer; `chapters`: chapter titles, asked of
 * their own recording and of another one of the same group.
 * @param dir the folder that the recordings are from: `qa` beside it has questions under its name, if any
 */
export function loadQuestions(gold: readonly GoldItem[], dir: string): QuestionSets {
  const written = resolve(dir, '../qa', `${basename(resolve(dir))}.json`)
  return {
    qa: existsSync(written) ? readWritten(written, gold) : [],
    own: readWritten(new URL('./own-questions.json', import.meta.url), gold),
    unseen: readWritten(new URL('./unseen-questions.json', import.meta.url), gold),
    lines: readWritten(new URL('./line-questions.json', import.meta.url), gold),
    chapters: askTitles(gold),
  }
}

export type Indexes = (item: GoldItem) => TutorIndex

/** What the tutor knows of each recording. */
export function openIndexes(gold: readonly GoldItem[]): Indexes {
  const indexes = new Map(
    gold.map((item) => [item, openIndex({ language: 'en', segments: readSegments(item), steps: [] })]),
  )
  return (item) => indexes.get(item) as TutorIndex
}

/** Ours about how-tos, for a model: follow-ups, two questions in one, denials, four languages; a third has no answer. */
export function loadHowtoQuestions(gold: readonly GoldItem[]): Question[] {
  return readWritten(new URL('./howto-questions.json', import.meta.url), gold)
}

function readWritten(file: string | URL, gold: readonly GoldItem[]): Question[] {
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written[]
  return written.flatMap(({ item: id, question, says = [], follows = false, ...place }) => {
    const item = gold.find((each) => each.id === id)
    if (item === undefined) return []
    return [{ item, question, says, follows, span: 'span' in place ? place.span : spanOf(item, place.lines ?? []) }]
  })
}

function spanOf({ segments }: GoldItem, lines: readonly number[]): Question['span'] {
  const [first, last] = [lines[0], lines.at(-1)].map((line) => segments[line ?? -1])
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end }
}

function askTitles(gold: readonly GoldItem[]): Question[] {
  const groups = Object.values(Object.groupBy(gold, (item) => item.group)) as GoldItem[][]
  return groups.flatMap((group) =>
    group.flatMap((item, index) => {
      const other = group[(index + OTHER_RECORDING) % group.length] as GoldItem
      return item.chapters.flatMap(({ start, title }, at) => {
        if (findWords(title).filter(isTerm).length < MIN_TITLE_TERMS) return []
        const span = { start, end: item.chapters[at + 1]?.start ?? item.durationS }
        return [
          { item, question: title, span },
          { item: other, question: title, span: null },
        ]
      })
    }),
  )
}

export interface Asked {
  index: TutorIndex
  question: Question
  passages: readonly Passage[]
  /** The tutor's chance that the recording answers it. */
  chance: number
}

const NEAR_S = 10

/** Scores what the tutor found, 0–1. */
export function scoreAnswers(asked: readonly Asked[], floor = 0.5) {
  const answerable = asked.filter(({ question }) => question.span !== null)
  const others = asked.filter(({ question }) => question.span === null)
  const share = (isRight: (each: Asked) => boolean) => answerable.filter(isRight).length / answerable.length
  const judged = asked.filter(({ question, chance }) => (question.span !== null) === chance >= floor).length
  return {
    answerable: answerable.length,
    unanswerable: others.length,
    /** The best passage, as it is read (with what stands around it), overlaps the place where the answer is said. */
    hit1: share((each) => isRead(each, 1)),
    /** … one of the best three does. */
    hit3: share((each) => isRead(each, 3)),
    /** … the best passage does without what stands around it. */
    bare: share(({ question, passages }) => overlaps(passages[0], question)),
    /** The best passage starts from ten seconds before the place to its end. */
    near: share(({ question, passages }) => startsNear(passages[0], question)),
    /** Chance that an answerable question is judged higher than an unanswerable one. */
    auc: measureAuc(answerable, others),
    /** Share that is judged rightly at the tutor's own floor. */
    judged: judged / asked.length,
  }
}

export type Scores = ReturnType<typeof scoreAnswers>

/** True where one of the best passages, as it is read, overlaps the place where the answer is said. */
export function isRead({ index, question, passages }: Omit<Asked, 'chance'>, count: number): boolean {
  return passages.slice(0, count).some((passage) => overlaps(readAround(index, passage), question))
}

/** True where some of the place at which a question is answered is in a passage of the recording. */
export function overlaps(passage: Pick<Passage, 'startMs' | 'endMs'> | undefined, { span }: Question): boolean {
  if (passage === undefined || span === null) return false
  return passage.startMs < span.end * 1_000 && passage.endMs > span.start * 1_000
}

function startsNear(passage: Passage | undefined, { span }: Question): boolean {
  if (passage === undefined || span === null) return false
  return passage.startMs >= (span.start - NEAR_S) * 1_000 && passage.startMs <= span.end * 1_000
}

function measureAuc(answerable: readonly Asked[], others: readonly Asked[]): number {
  let sum = 0
  for (const { chance } of answerable)
    for (const other of others) sum += chance > other.chance ? 1 : chance === other.chance ? 0.5 : 0
  return sum / (answerable.length * others.length)
}
