import { readFileSync, writeFileSync } from 'node:fs'
import { SIGN_NAMES, type Signs } from '#worker/domain/tutor/measure-passages.ts'
import {
  ANSWERABLE_FLOOR,
  ANSWERABLE_NAMES,
  judgeAnswerable,
  rankPassages,
  readAnswerableSigns,
} from '#worker/domain/tutor/rank-passages.ts'
import type { SentenceSigns } from '#worker/domain/tutor/rank-sentences.ts'
import type { ANSWERABLE_WEIGHTS } from '#worker/domain/tutor/tutor-weights.ts'
import { bootstrapMean } from '../bootstrap.ts'
import { fitChoice, fitLogistic } from '../regression.ts'
import { round } from '../scenario.ts'
import { DEV_DIR, HOWTO_DIR, withChapters } from '../steps/predict-steps.ts'
import { findsAnswer, fitSentences } from './fit-sentence-weights.ts'
import { type Indexes, isRead, loadQuestions, openIndexes, overlaps, type Question, scoreAnswers } from './questions.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/tutor/tutor-weights.ts', import.meta.url)
/**
 * How much a question counts where passages are fitted. `unseen` and `lines` stay unseen; chapter titles are no questions,
 * but many. All questions of `howto` have an answer; with them, a collection's first moment was right less often.
 */
const SET_WEIGHTS = { qa: 1, own: 1, howto: 0, unseen: 0, lines: 0, chapters: 0.1 } as const
/** Whose questions sentences are fitted to. */
const QUOTED_SETS: readonly SetName[] = ['qa', 'own', 'howto']
type SetName = keyof typeof SET_WEIGHTS
/** Chosen among 0.03, 0.1, 0.3 and 1 by held-out likelihood. */
const CHOICE_RIDGE = 0.3
/** Set by hand. */
const ANSWERABLE_RIDGE = 0.3

interface Weights {
  rank: Signs
  answerable: typeof ANSWERABLE_WEIGHTS
  sentence: SentenceSigns
}

interface Observed {
  question: Question
  set: SetName
  index: ReturnType<Indexes>
}

/** Questions about the recordings of one folder. */
async function observe(dir: string, setOf: (set: Exclude<SetName, 'howto'>) => SetName | null): Promise<Observed[]> {
  const observed = await withChapters(({ gold }) => {
    const indexes = openIndexes(gold)
    return Object.entries(loadQuestions(gold, dir)).flatMap(([name, questions]) => {
      const set = setOf(name as Exclude<SetName, 'howto'>)
      if (set === null) return []
      return questions.map((question): Observed => ({ question, set, index: indexes(question.item) }))
    })
  }, dir)
  return observed ?? []
}

function fit(observed: readonly Observed[]): Weights {
  const taken = observed.filter(({ set }) => SET_WEIGHTS[set] > 0)
  const rank = fitRank(taken)
  const asked = observed.filter(({ set, question }) => QUOTED_SETS.includes(set) && question.span !== null)
  const ranked = asked.map(({ question, index }) => ({ question, index, ranking: rankPassages(index, question, rank) }))
  return { rank, answerable: fitAnswerable(taken, rank), sentence: fitSentences(ranked) }
}

function fitRank(observed: readonly Observed[]): Signs {
  const choices = observed.map(({ index, question, set }) => {
    const { measured } = rankPassages(index, question)
    const rows = measured.map(({ signs }) => SIGN_NAMES.map((name) => signs[name]))
    return { rows, isRight: measured.map(({ passage }) => overlaps(passage, question)), weight: SET_WEIGHTS[set] }
  })
  const fitted = fitChoice(choices, CHOICE_RIDGE).map((weight) => round(weight, 1))
  return Object.fromEntries(SIGN_NAMES.map((name, at) => [name, fitted[at] ?? 0])) as unknown as Signs
}

function fitAnswerable(observed: readonly Observed[], rank: Signs): Weights['answerable'] {
  const rows = observed.flatMap(({ index, question, set }) => {
    const signs = readAnswerableSigns(rankPassages(index, question, rank))
    if (signs === null) return []
    const row = ANSWERABLE_NAMES.map((name) => signs[name])
    return { row, isCut: question.span !== null, weight: SET_WEIGHTS[set] }
  })
  const fitted = fitLogistic(rows, ANSWERABLE_RIDGE).map((weight) => round(weight, 1))
  const weights = Object.fromEntries(ANSWERABLE_NAMES.map((name, at) => [name, fitted[at] ?? 0]))
  return { bias: fitted.at(-1) ?? 0, ...weights } as Weights['answerable']
}

function ask(each: Observed, { rank, answerable, sentence }: Weights) {
  const { index, question } = each
  const ranking = rankPassages(index, question, rank)
  const { passages } = ranking
  const chance = judgeAnswerable(ranking, answerable)
  const isQuoted = chance >= ANSWERABLE_FLOOR && findsAnswer({ question, index, ranking }, sentence)
  return { ...each, passages, chance, isQuoted }
}

type Answered = ReturnType<typeof ask>

const three = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(3))

function reportSets(label: string, answered: readonly Answered[]): void {
  for (const set of Object.keys(SET_WEIGHTS)) {
    const own = answered.filter((each) => each.set === set)
    const { answerable, unanswerable, hit1, hit3, near, auc } = scoreAnswers(own)
    const first = own.filter(({ isQuoted, question }) => isQuoted && question.span !== null).length / answerable
    const refused = own.filter(({ question, chance }) => question.span === null && chance < ANSWERABLE_FLOOR).length
    const cells = [...[hit1, hit3, near, auc, first].map(three), `${refused} of ${unanswerable}`]
    console.log(`| ${label}, ${set} | ${cells.join(' | ')} |`)
  }
}

/** Means over sources, each of its recordings, of all questions that people or we wrote. */
function reportSources(answered: readonly Answered[]): void {
  const asked = answered.filter(({ set, question }) => set !== 'chapters' && question.span !== null)
  const sources = [...Map.groupBy(asked, ({ question }) => question.item.group).values()]
  const estimate = (name: string, isRight: (each: Answered) => boolean) => {
    const values = sources.map((source) =>
      [...Map.groupBy(source, ({ question }) => question.item).values()].map(
        (own) => own.filter(isRight).length / own.length,
      ),
    )
    const { mean, low, high } = bootstrapMean(values)
    console.log(`${name}, mean over sources: ${three(mean)} (${three(low)}–${three(high)})`)
  }
  estimate('hit@1', (each) => isRead(each, 1))
  estimate('hit@3', (each) => isRead(each, 3))
  estimate('first quoted', ({ isQuoted }) => isQuoted)
}

function writeWeights({ rank, answerable, sentence }: Weights): void {
  let source = writeInto(readFileSync(WEIGHTS_FILE, 'utf8'), 'RANK_WEIGHTS', rank)
  source = writeInto(source, 'SENTENCE_WEIGHTS', sentence)
  const judged = Object.entries(answerable).map(([name, value]) => `${name}: ${value}`)
  source = source.replace(/^(export const ANSWERABLE_WEIGHTS = ).*$/m, `$1{ ${judged.join(', ')} }`)
  writeFileSync(WEIGHTS_FILE, source)
}

/** Replaces the numbers of one table, whose comments stay. */
function writeInto(source: string, table: string, weights: Readonly<Record<string, number>>): string {
  const start = source.indexOf(`export const ${table} = {`)
  const end = source.indexOf('\n}', start)
  let own = source.slice(start, end)
  for (const [name, value] of Object.entries(weights))
    own = own.replace(new RegExp(`^( {2}${name}: ).*,$`, 'm'), `$1${value},`)
  return source.slice(0, start) + own + source.slice(end)
}

/** Prints what weights that saw no recording of its source find in each, and what those of all do. */
export async function fitAnswers(values: { write?: boolean }): Promise<void> {
  const observed = [
    ...(await observe(DEV_DIR, (set) => set)),
    ...(await observe(HOWTO_DIR, (set) => (set === 'qa' ? 'howto' : null))),
  ]
  if (observed.length === 0) return
  console.log('| set | hit@1 | hit@3 | starts near | AUC | first quoted | refused |\n|---|---|---|---|---|---|---|')
  const heldOut = [...Map.groupBy(observed, ({ question }) => question.item.group).values()].flatMap((source) => {
    const weights = fit(observed.filter((each) => !source.includes(each)))
    return source.map((each) => ask(each, weights))
  })
  reportSets('its source held out', heldOut)
  const whole = fit(observed)
  reportSets(
    'all',
    observed.map((each) => ask(each, whole)),
  )
  reportSources(heldOut)
  console.log(JSON.stringify(whole))
  if (values.write === true) writeWeights(whole)
}
