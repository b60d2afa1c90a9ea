import type { Signs } from './measure-passages.ts'

/** Weights of the signs in {@link rankPassages}; fitted by `bench/answers/fit-tutor-weights.ts`. */
export const RANK_WEIGHTS: Readonly<Signs> = {
  covered: 3.9,
  repeated: 4,
  close: 1.4,
  early: 3,
  first: 1.5,
  expected: 2.9,
  associated: 3,
}

/** What tells whether the recording answers a question, by log odds; fitted by the same script. */
export const ANSWERABLE_WEIGHTS = { bias: -4.5, covered: 3.5, known: 3.1, close: 3.4 }
