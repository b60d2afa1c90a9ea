/**
 * What speaks for a passage as the answer to a question, with its weight in {@link rankPassages}; fitted by
 * `npm run fit -- answers`. Each sign is about 0–1. Shares are of the question, by weight.
 */
export const RANK_WEIGHTS = {
  /** Share that it has or that is said right beside it; the first words count most. */
  covered: 3,
  /** Share that it has in the question's own words. */
  exact: 2,
  /** Share that one sentence of it has. */
  together: 2,
  /** Share that is said right before it: answers come after the words of the question. */
  before: 2,
  /** Share that is said in it for the first time in the recording. */
  first: 1.9,
  /** Words that follow each other in the question do so in it, function words included. */
  phrased: 2.6,
  /** Words of the question are said in it many times. */
  repeated: 0.9,
  /** Words of the question stand close together in it. */
  close: 0.7,
  /** It has a number where one is asked for. */
  number: 1.9,
  /** It gives a reason where one is asked for. */
  cause: 2.3,
  /** It says what the thing is where that is asked for. */
  defined: 1.9,
  /** It has words that go with the question's in this recording. */
  associated: 2.5,
  /** It stands where recordings say what is to come … */
  opening: -1,
  /** … and where they sum up, unless the question is about the end. */
  closing: -1.9,
}

/**
 * What speaks for a sentence as the one to quote, with its weight in `rank-sentences.ts`; fitted by the same script. Shares
 * are of the question, by weight.
 */
export const SENTENCE_WEIGHTS = {
  /** Share that it has. */
  covered: 3.1,
  /** Share that it has in the question's own words. */
  exact: 1.8,
  /** Share that the sentence before has and it has not: answers come after the words of the question. */
  before: 1.3,
  /** How far the best passage around it is behind the best of all, in log odds. */
  bestPassage: 0.3,
  /** Chance of all passages around it, as its logarithm. */
  allPassages: 0.6,
  /** It has a number where one is asked for … */
  number: 2.4,
  /** … or the next one has. */
  numberNext: 0.4,
  /** It gives a reason where one is asked for. */
  cause: 1.3,
  /** It is a question itself. */
  asks: -0.8,
  /** It is an instruction where somebody asks what to do. */
  instructs: 1.1,
  /** It stands where recordings say what is to come … */
  opening: -0.7,
  /** … and where they sum up, unless the question is about the end. */
  closing: -1.7,
}

/** Weights for whether the recording answers a question, in log odds; fitted by the same script. */
export const ANSWERABLE_WEIGHTS = { bias: -7.7, covered: 1.4, known: 2.6, strength: 0.6, length: 1.3 }
