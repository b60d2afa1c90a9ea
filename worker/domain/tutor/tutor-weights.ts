import type { Signs } from './measure-passages.ts'

/** Weights of the signs in {@link rankPassages}; fitted by `bench/answers/fit-tutor-weights.ts`. */
export const RANK_WEIGHTS: Readonly<Signs> = {
  covered: 3.3,
  repeated: 4.7,
  close: 1.2,
  early: 2.4,
  first: 1.7,
  expected: 2.2,
  associated: 3.7,
}

/** What tells whether the recording answers a question, by log odds; fitted by the same script. */
export const ANSWERABLE_WEIGHTS = { bias: -4, covered: 5, known: 2, close: 1 }
