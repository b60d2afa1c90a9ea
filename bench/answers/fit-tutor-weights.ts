import { readFileSync, writeFileSync } from 'node:fs'
import { SIGN_NAMES, type Signs } from '#worker/domain/tutor/measure-passages.ts'
import type { TutorIndex } from '#worker/domain/tutor/open-index.ts'
import {
  ANSWERABLE_NAMES,
  type AnswerableSigns,
  judgeAnswerable,
  rankPassages,
  readAnswerableSigns,
} from '#worker/domain/tutor/rank-passages.ts'
import type { ANSWERABLE_WEIGHTS } from '#worker/domain/tutor/tutor-weights.ts'
import { type Choice, fitChoice, fitLogistic } from '../regression.ts'
import { round } from '../scenario.ts'
import { type Chapters, DEV_DIR, type GoldItem, HOWTO_DIR, withChapters } from '../steps/predict-steps.ts'
import { fitSentences } from './fit-sentence-weights.ts'
import {
  loadQuestions,
  openIndexes,
  overlaps,
  type Question,
  SET_NAMES,
  type SetName,
  scoreAnswers,
} from './questions.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/tutor/tutor-weights.ts', import.meta.url)
/** `unseen` and `lines` stay unseen; chapter titles are no questions, but many; each counts as a tenth of one. */
const SET_WEIGHTS: Readonly<Record<SetName, number>> = { qa: 1, own: 1, unseen: 0, lines: 0, chapters: 0.1 }
/** Chosen among 0.03, 0.1, 0.3 and 1 by held-out likelihood. */
const CHOICE_RIDGE = 0.3
/** Set by hand. */
const ANSWERABLE_RIDGE = 0.3
/** Folds over recordings. */
const FOLDS = 5

interface Weights {
  rank: Signs
  answerable: typeof ANSWERABLE_WEIGHTS
}

interface Observed {
  question: Question
  set: SetName
  index: TutorIndex
  choice: Choice
}

function main({ gold }: Chapters, isWritten: boolean): void {
  const observed = observe(gold)
  console.log('| set | hit@1 | hit@3 | starts near | AUC |\n|---|---|---|---|---|')
  // No question is scored by weights that saw its recording.
  const folds = Map.groupBy(observed, ({ question }) => gold.indexOf(question.item) % FOLDS).values()
  report(
    'held out',
    [...folds].flatMap((fold) => askAll(fold, fit(observed.filter((each) => !fold.includes(each))))),
  )
  const whole = fit(observed)
  report('all', askAll(observed, whole))
  console.log(JSON.stringify(whole))
  if (isWritten) writeWeights(whole)
}

function observe(gold: readonly GoldItem[]): Observed[] {
  const indexes = openIndexes(gold)
  const sets = loadQuestions(gold, DEV_DIR)
  return SET_NAMES.flatMap((set) =>
    sets[set].map((question) => {
      const index = indexes(question.item)
      const { measured } = rankPassages(index, question)
      const rows = measured.map(({ signs }) => SIGN_NAMES.map((name) => signs[name]))
      const isRight = measured.map(({ passage }) => overlaps(passage, question))
      const choice = { rows, isRight, weight: SET_WEIGHTS[set] }
      return { question, set, index, choice }
    }),
  )
}

function fit(observed: readonly Observed[]): Weights {
  const taken = observed.filter(({ set }) => SET_WEIGHTS[set] > 0)
  const choices = taken.map(({ choice }) => choice)
  const fitted = fitChoice(choices, CHOICE_RIDGE).map((weight) => round(weight, 1))
  const rank = Object.fromEntries(SIGN_NAMES.map((name, at) => [name, fitted[at] ?? 0])) as unknown as Signs
  return { rank, answerable: fitAnswerable(taken, rank) }
}

function fitAnswerable(observed: readonly Observed[], rank: Signs): Weights['answerable'] {
  const rows = observed.flatMap(({ index, question, set }) => {
    const signs: AnswerableSigns | null = readAnswerableSigns(rankPassages(index, question, rank))
    if (signs === null) return []
    const row = ANSWERABLE_NAMES.map((name) => signs[name])
    return { row, isCut: question.span !== null, weight: SET_WEIGHTS[set] }
  })
  const fitted = fitLogistic(rows, ANSWERABLE_RIDGE).map((weight) => round(weight, 1))
  const weights = Object.fromEntries(ANSWERABLE_NAMES.map((name, at) => [name, fitted[at] ?? 0]))
  return { bias: fitted.at(-1) ?? 0, ...weights } as Weights['answerable']
}

function askAll(observed: readonly Observed[], { rank, answerable }: Weights) {
  return observed.map((each) => {
    const ranking = rankPassages(each.index, each.question, rank)
    return { ...each, passages: ranking.passages, chance: judgeAnswerable(ranking, answerable) }
  })
}

function report(label: string, asked: ReturnType<typeof askAll>): void {
  for (const set of SET_NAMES) {
    const { hit1, hit3, near, auc } = scoreAnswers(asked.filter((each) => each.set === set))
    console.log(`| ${label}, ${set} | ${[hit1, hit3, near, auc].map((value) => value.toFixed(3)).join(' | ')} |`)
  }
}

function writeWeights({ rank, answerable }: Weights): void {
  let source = writeInto(readFileSync(WEIGHTS_FILE, 'utf8'), 'RANK_WEIGHTS', rank)
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

/** To questions of the benchmark and ours, those about how-tos included. */
async function fitQuotes(isWritten: boolean): Promise<void> {
  const questions: Question[] = []
  await withChapters(({ gold }) => {
    const { qa, own } = loadQuestions(gold, DEV_DIR)
    questions.push(...qa, ...own)
  }, DEV_DIR)
  await withChapters(({ gold }) => questions.push(...loadQuestions(gold, HOWTO_DIR).qa), HOWTO_DIR)
  if (questions.length === 0) return
  const { weights, heldOut } = fitSentences(questions)
  console.log(`best sentence of the answer, held out: ${heldOut.toFixed(3)}\n${JSON.stringify(weights)}`)
  if (isWritten) writeFileSync(WEIGHTS_FILE, writeInto(readFileSync(WEIGHTS_FILE, 'utf8'), 'SENTENCE_WEIGHTS', weights))
}

/** Prints what weights that never saw a recording find in it. */
export async function fitAnswers(values: { write?: boolean }): Promise<void> {
  const isWritten = values.write === true
  await withChapters((chapters) => main(chapters, isWritten), DEV_DIR)
  await fitQuotes(isWritten)
}
