import type { TutorIndex } from './open-index.ts'
import { listSynonyms } from './words/synonyms.ts'
import { findWords, isAskingWord, isTerm, stemTerm } from './words/words.ts'

/** Which words a training has, and how widely: all that choosing one of many needs. */
export interface TrainingDigest {
  /** In how many blocks of its speech each stem stands. */
  spread: ReadonlyMap<string, number>
  blockCount: number
  /** Stems of its title and of what its steps say. */
  written: ReadonlySet<string>
}

/**
 * Makes the digest of a training.
 * @param indexes of what is said in it, in each language that is searched
 * @param texts its title and what its steps say
 */
export function digestTraining(
  indexes: readonly Pick<TutorIndex, 'spread' | 'blockCount'>[],
  texts: readonly string[],
): TrainingDigest {
  const spread = new Map(indexes.toReversed().flatMap((index) => [...index.spread]))
  return { spread, blockCount: indexes[0]?.blockCount ?? 0, written: new Set(texts.flatMap(listStems)) }
}

function listStems(text: string): string[] {
  return findWords(text).filter(isTerm).map(stemTerm)
}

/** A training with how well its words fit a question. */
export interface PickedTraining<Digest extends TrainingDigest> {
  training: Digest
  /** How much of the question it has, by the rarity of its words among the trainings; 0 and up. */
  fit: number
}

/** More is no question. */
const TERMS_MAX = 24
const ASKING_WEIGHT = 0.5
const SYNONYM_GAIN = 0.4
const WRITTEN_GAIN = 0.6
/** BM25's k1 and b. All of these weights by `npm run bench:answers -- --collections`, whose four sets they are fitted to. */
const SATURATION = 2.5
const LENGTH_SHARE = 0.8

/**
 * Orders trainings by how well their words fit a question, the best first; those without any of its words are left
 * out. A word that none of them has may be one that is not typed to its end.
 */
export function pickTrainings<Digest extends TrainingDigest>(
  trainings: readonly Digest[],
  question: string,
): PickedTraining<Digest>[] {
  const stems = [...new Set(listStems(question))].slice(0, TERMS_MAX)
  const meanBlocks = trainings.reduce((sum, { blockCount }) => sum + blockCount, 0) / trainings.length
  const terms = stems.map((stem) => {
    const whole = trainings.map((training) => gainOf(training, stem, meanBlocks))
    const gains = whole.some((gain) => gain > 0) ? whole : trainings.map((training) => gainOfPart(training, stem))
    const having = gains.filter((gain) => gain > 0).length
    const rarity = Math.log(1 + (trainings.length + 0.5) / (having + 0.5))
    return { gains, weight: rarity * (isAskingWord(stem) ? ASKING_WEIGHT : 1) }
  })
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  return trainings
    .map((training, index) => {
      const sum = terms.reduce((part, { gains, weight }) => part + weight * (gains[index] ?? 0), 0)
      return { training, fit: sum / total }
    })
    .filter(({ fit }) => fit > 0)
    .toSorted((left, right) => right.fit - left.fit)
}

function gainOf({ spread, blockCount, written }: TrainingDigest, stem: string, meanBlocks: number): number {
  const said = (each: string) => saturate(spread.get(each) ?? 0, blockCount / meanBlocks)
  const alike = [...listSynonyms(stem)].map(said)
  return Math.max(said(stem), SYNONYM_GAIN * Math.max(0, ...alike)) + (written.has(stem) ? WRITTEN_GAIN : 0)
}

/** As BM25 counts how often a text of some length has a word. */
function saturate(blocks: number, length: number): number {
  const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
  return (blocks * (SATURATION + 1)) / (blocks + norm)
}

/** A shorter beginning fits too many words. */
const PART_CHARS_MIN = 3

function gainOfPart({ spread, written }: TrainingDigest, stem: string): number {
  if (stem.length < PART_CHARS_MIN) return 0
  const begins = (each: string) => each.startsWith(stem) || (each.length > PART_CHARS_MIN && stem.startsWith(each))
  return ([...spread.keys()].some(begins) ? 1 : 0) + ([...written].some(begins) ? WRITTEN_GAIN : 0)
}
