import { findMoments } from '#worker/domain/tutor/find-moments.ts'
import type { TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { digestTraining, pickTrainings, type TrainingDigest } from '#worker/domain/tutor/pick-trainings.ts'
import { gate, type Report, type Row, round } from '../scenario.ts'
import { DEV_DIR, type GoldItem, HOWTO_DIR } from '../steps/predict-steps.ts'
import { measureCollectionAnswers } from './collections-with-model.ts'
import { loadQuestions, openIndexes, overlaps, type Question } from './questions.ts'

const COLLECTION_SIZE = 12
/** Trainings that are read for a question. */
const PICKED_MAX = 3

interface Training extends TrainingDigest {
  item: GoldItem
  index: TutorIndex
}

/**
 * A recording among eleven others. Where it has the answer, they are those that follow it in its group, on the same
 * subject: the hardest to tell apart. Where it has none, every fifth of the other groups, since some of its own group
 * answer what it does not ("How is the vehicle made to follow a path?").
 */
function collect(gold: readonly GoldItem[], { item, span }: Question): GoldItem[] {
  const own = gold.filter(({ group }) => group === item.group)
  const others = gold.filter(({ group }) => group !== item.group)
  const at = own.indexOf(item)
  const near = [...own.slice(at + 1), ...own.slice(0, at), ...others]
  const far = others.filter((_, index) => index % 5 === 0)
  return [item, ...(span === null ? far : near).slice(0, COLLECTION_SIZE - 1)]
}

/** What the field of a collection finds for one question. */
function ask(trainings: readonly Training[], { item, question, span }: Question) {
  const opened = pickTrainings(trainings, question)
    .slice(0, PICKED_MAX)
    .map(({ training, fit }) => ({ training, fit, indexes: [training.index] }))
  const moments = findMoments(opened, question)
  const picked = opened.map(({ training }) => training)
  const [first] = moments
  const isRight = first?.training.training.item === item && overlaps(first.passage, { item, question, span })
  return {
    picked,
    isPicked: opened.some(({ training }) => training.item === item),
    isRight,
    isRefused: !moments.some(({ isCovered }) => isCovered),
  }
}

const share = (values: readonly boolean[]) => values.filter(Boolean).length / values.length

function score(trainings: ReadonlyMap<GoldItem, Training>, gold: readonly GoldItem[], questions: readonly Question[]) {
  const asked = questions.map((question) => {
    const members = collect(gold, question).flatMap((item) => trainings.get(item) ?? [])
    return { question, ...ask(members, question) }
  })
  const answerable = asked.filter(({ question }) => question.span !== null)
  const others = asked.filter(({ question }) => question.span === null)
  return {
    asked,
    answerable: answerable.length,
    picked: share(answerable.map(({ isPicked }) => isPicked)),
    first: share(answerable.map(({ isRight }) => isRight)),
    refusedWrongly: share(answerable.map(({ isRefused }) => isRefused)),
    others: others.length,
    refused: others.filter(({ isRefused }) => isRefused).length,
  }
}

const PICKED_MIN = 0.9
const FIRST_MIN = 0.65
const REFUSED_MIN = 13

/** Measures questions over collections of twelve recordings, without and with a model. */
export async function measureCollections(gold: readonly GoldItem[]): Promise<Report> {
  const indexes = openIndexes(gold)
  const trainings = new Map(
    gold.map((item) => {
      const index = indexes(item)
      return [item, { ...digestTraining([index], [item.title]), item, index }]
    }),
  )
  const { qa, own, unseen } = loadQuestions(gold, DEV_DIR)
  const sets = { qa, own, unseen, howto: loadQuestions(gold, HOWTO_DIR).qa }
  const scores = Object.entries(sets).map(([name, questions]) => ({ name, ...score(trainings, gold, questions) }))
  const sum = scores.reduce((all, each) => all + each.answerable, 0)
  const mean = (field: 'picked' | 'first') => scores.reduce((all, each) => all + each.answerable * each[field], 0) / sum
  const three = (value: number) => value.toFixed(3)
  const ofQa = scores.find(({ name }) => name === 'qa')
  const rows: Row[] = [
    gate('qa, right training among three', ofQa?.picked ?? 0, { atLeast: PICKED_MIN }, three),
    gate('qa, right moment first', ofQa?.first ?? 0, { atLeast: FIRST_MIN }, three),
    gate('qa, refused of what none covers', ofQa?.refused ?? 0, { atLeast: REFUSED_MIN }, String),
    gate('all sets, right training among three', mean('picked'), { atLeast: PICKED_MIN }, three),
    gate('all sets, right moment first', mean('first'), { atLeast: FIRST_MIN }, three),
  ]
  const table = [
    '| set | answerable | right training among three | right moment first | refused | of what none covers |',
    '|---|---|---|---|---|---|',
    ...scores.map(({ name, answerable, picked, first, refusedWrongly, others, refused }) => {
      const cells = [name, answerable, ...[picked, first, refusedWrongly].map(three), `${refused} of ${others}`]
      return `| ${cells.join(' | ')} |`
    }),
    ...rows,
    ...(await measureCollectionAnswers(ofQa?.asked ?? [])),
  ]
  return { json: Object.fromEntries(scores.map(({ name, first }) => [`${name}_first_ratio`, round(first, 3)])), table }
}
