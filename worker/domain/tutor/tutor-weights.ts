import type { Signs } from './measure-passages.ts'

/** Weights of the signs in {@link rankPassages}; fitted by `bench/answers/fit-tutor-weights.ts`. */
export const RANK_WEIGHTS: Readonly<Signs> = {
  covered: 3,
  exact: 2.1,
  together: 1.7,
  before: 1.8,
  first: 1.8,
  phrased: 2.6,
  repeated: 1,
  close: 0.7,
  number: 1.8,
  cause: 2,
  defined: 1.6,
  associated: 2.6,
  opening: -1,
  closing: -1.9,
}

/** What tells whether the recording answers a question, by log odds; fitted by the same script. */
export const ANSWERABLE_WEIGHTS = { bias: -7.1, covered: 1, known: 2.3, strength: 0.7, length: 1.2 }
