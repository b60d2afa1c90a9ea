import { checkQuotes } from './check-answer.ts'
import { type Passage, readAround, type TutorIndex } from './open-index.ts'
import { quoteMoments } from './quote-moments.ts'
import { judgeAnswerable, type Ranking, rankPassages } from './rank-passages.ts'

/** A training that may answer a question. */
export interface OpenedTraining {
  /** What {@link import('./pick-trainings.ts').pickTrainings} says of it. */
  fit: number
  /** What is said in it, in each language that is searched, the spoken one first. */
  indexes: readonly TutorIndex[]
}

/** Where a training answers a question. */
export interface FoundMoment<Training extends OpenedTraining> {
  training: Training
  /** Which of its indexes has the moment. */
  index: TutorIndex
  /** With what is said right before and after it. */
  passage: Passage
  startMs: number
  /** The sentence that is said there, word for word. */
  quote: string
  /** Whether the training is likely to cover the question; otherwise it is only the nearest place. */
  isCovered: boolean
}

/**
 * The tutor asks one training, of which its learner knows the subject, and takes a chance of .5. Of several one always
 * comes near, so that more is asked here: this refuses 13 of the 15 questions of `qa` that none of twelve trainings
 * covers, and none of the 30 that one does.
 */
export const MOMENT_FLOOR = 0.7
/** How much the fit of a whole training counts beside the odds of its best passage; the best of 1 to 4. */
const FIT_WEIGHT = 3

/** Finds where some trainings come nearest to a question, a moment in each, the likeliest first. */
export function findMoments<Training extends OpenedTraining>(
  trainings: readonly Training[],
  question: string,
): FoundMoment<Training>[] {
  return trainings
    .flatMap((training) => training.indexes.map((index) => judge({ training, index, question })))
    .filter(({ score }) => Number.isFinite(score))
    .toSorted((left, right) => right.score - left.score)
    .filter(({ training }, at, all) => all.findIndex((each) => each.training === training) === at)
    .flatMap(quote)
}

interface Judged<Training extends OpenedTraining> {
  training: Training
  index: TutorIndex
  ranking: Ranking
  chance: number
  score: number
}

function judge<Training extends OpenedTraining>({
  training,
  index,
  question,
}: Pick<Judged<Training>, 'training' | 'index'> & { question: string }): Judged<Training> {
  const ranking = rankPassages(index, { question })
  const chance = judgeAnswerable(ranking)
  const score = Math.log(chance / (1 - chance)) + FIT_WEIGHT * Math.log(training.fit)
  return { training, index, ranking, chance, score }
}

function quote<Training extends OpenedTraining>({ training, index, ranking, chance }: Judged<Training>) {
  const [best] = ranking.passages
  const [sentences = []] = quoteMoments(index, ranking, 1)
  const first = checkQuotes(sentences, index).find(({ segmentIds }) => segmentIds.length > 0)
  if (best === undefined || first === undefined) return []
  const isCovered = chance >= MOMENT_FLOOR
  return [{ training, index, passage: readAround(index, best), startMs: first.startMs, quote: first.text, isCovered }]
}
