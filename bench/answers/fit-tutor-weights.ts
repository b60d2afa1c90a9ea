import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AnswerableSigns, judgeAnswerable, readAnswerableSigns } from '#worker/domain/tutor/judge-answerable.ts'
import { SIGN_NAMES, type Signs } from '#worker/domain/tutor/measure-passages.ts'
import { openIndex, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { type Ranking, rankPassages } from '#worker/domain/tutor/rank-passages.ts'
import type { ANSWERABLE_WEIGHTS } from '#worker/domain/tutor/tutor-weights.ts'
import { CHAPTERS_DIR, type GoldItem, loadScorer, readSegments } from '../steps/chapters.ts'
import { fitLogistic } from '../steps/logistic.ts'
import { type Choice, fitChoice } from './choice.ts'
import { loadQuestions, type Question, SET_NAMES, type SetName } from './questions.ts'
import { type Asked, scoreAnswers } from './score-answers.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/tutor/tutor-weights.ts', import.meta.url)
/** Chapter titles are no questions, but many; each counts as a tenth of one. */
const SET_WEIGHTS: Readonly<Record<SetName, number>> = { qa: 1, own: 1, chapters: 0.1 }
/** Chosen among 0.1, 0.5 and 2 by held-out likelihood. */
const CHOICE_RIDGE = 0.1
/** Set by hand. */
const ANSWERABLE_RIDGE = 0.3
/** Folds over recordings: no question is scored by weights that saw its recording. */
const FOLDS = 5
const ANSWERABLE_NAMES = ['covered', 'known', 'close'] as const

interface Weights {
  rank: Signs
  answerable: typeof ANSWERABLE_WEIGHTS
}

interface Observed {
  question: Question
  set: SetName
  fold: number
  index: TutorIndex
  choice: Choice
  answerable: AnswerableSigns | null
}

async function main(): Promise<void> {
  if (!existsSync(CHAPTERS_DIR)) {
    console.log(`No benchmark at ${CHAPTERS_DIR}; set ADAPT_CHAPTERS_DIR. Nothing fitted.`)
    return
  }
  const { gold } = await loadScorer()
  const observed = observe(gold)
  console.log('| set | hit@1 | hit@3 | starts near | AUC |\n|---|---|---|---|---|')
  const folds = Array.from({ length: FOLDS }, (_, fold) => fit(observed.filter((each) => each.fold !== fold)))
  report('held out', observed, ({ fold }) => folds[fold] as Weights)
  const whole = fit(observed)
  report('all', observed, () => whole)
  console.log(JSON.stringify(whole))
  if (process.argv.includes('--write')) writeWeights(whole)
}

function observe(gold: readonly GoldItem[]): Observed[] {
  const indexes = new Map(gold.map((item) => [item, openIndex({ segments: readSegments(item), steps: [] })]))
  const sets = loadQuestions(gold)
  return SET_NAMES.flatMap((set) =>
    sets[set].map((question) => {
      const index = indexes.get(question.item) as TutorIndex
      const ranking = rankPassages(index, question)
      const fold = gold.indexOf(question.item) % FOLDS
      return {
        question,
        set,
        fold,
        index,
        choice: toChoice(ranking, question, SET_WEIGHTS[set]),
        answerable: readAnswerableSigns(ranking),
      }
    }),
  )
}

function toChoice({ measured }: Ranking, { span }: Question, weight: number): Choice {
  return {
    weight,
    rows: measured.map(({ signs }) => SIGN_NAMES.map((name) => signs[name])),
    isRight: measured.map(
      ({ passage }) => span !== null && passage.startMs < span.end * 1_000 && passage.endMs > span.start * 1_000,
    ),
  }
}

function fit(observed: readonly Observed[]): Weights {
  const rank = fitChoice(
    observed.map(({ choice }) => choice),
    CHOICE_RIDGE,
  ).map(round)
  const rows = observed.flatMap(({ answerable, question, set }) =>
    answerable === null
      ? []
      : [
          {
            row: ANSWERABLE_NAMES.map((name) => answerable[name]),
            isCut: question.span !== null,
            weight: SET_WEIGHTS[set],
          },
        ],
  )
  const [covered, known, close, bias] = fitLogistic(rows, ANSWERABLE_RIDGE).map(round) as [
    number,
    number,
    number,
    number,
  ]
  return {
    rank: Object.fromEntries(SIGN_NAMES.map((name, at) => [name, rank[at] ?? 0])) as unknown as Signs,
    answerable: { bias, covered, known, close },
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function report(label: string, observed: readonly Observed[], weightsOf: (each: Observed) => Weights): void {
  for (const set of SET_NAMES) {
    const asked: Asked[] = observed
      .filter((each) => each.set === set)
      .map((each) => {
        const { rank, answerable } = weightsOf(each)
        const ranking = rankPassages(each.index, each.question, rank)
        return { question: each.question, passages: ranking.passages, chance: judgeAnswerable(ranking, answerable) }
      })
    const { hit1, hit3, near, auc } = scoreAnswers(asked)
    console.log(`| ${label}, ${set} | ${[hit1, hit3, near, auc].map((value) => value.toFixed(3)).join(' | ')} |`)
  }
}

function writeWeights({ rank, answerable }: Weights): void {
  let source = readFileSync(WEIGHTS_FILE, 'utf8')
  for (const [name, value] of Object.entries(rank))
    source = source.replace(new RegExp(`^( {2}${name}: ).*,$`, 'm'), `$1${value},`)
  const { bias, covered, known, close } = answerable
  source = source.replace(
    /^(export const ANSWERABLE_WEIGHTS = ).*$/m,
    `$1{ bias: ${bias}, covered: ${covered}, known: ${known}, close: ${close} }`,
  )
  writeFileSync(WEIGHTS_FILE, source)
}

await main()
