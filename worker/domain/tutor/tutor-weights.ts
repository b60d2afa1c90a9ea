import type { Signs } from './measure-passages.ts'

/** Weights of the signs in {@link rankPassages}; fitted by `bench/answers/fit-tutor-weights.ts`. */
export const RANK_WEIGHTS: Readonly<Signs> = {
  covered: 3,
  exact: 2,
  together: 2,
  before: 2,
  first: 1.9,
  phrased: 2.6,
  repeated: 0.9,
  close: 0.7,
  number: 1.9,
  cause: 2.3,
  defined: 1.9,
  associated: 2.5,
  opening: -1,
  closing: -1.9,
}

/** Weights for whether the recording answers a question, in log odds; fitted by the same script. */
export const ANSWERABLE_WEIGHTS = { bias: -7.7, covered: 1.4, known: 2.6, strength: 0.6, length: 1.3 }
