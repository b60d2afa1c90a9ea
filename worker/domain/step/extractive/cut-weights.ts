import type { CutModel } from './extractive-step-writer.ts'

/**
 * Log odds per sign, fitted by `bench/steps/fit-cut-weights.ts`: logistic regression with a ridge on lectures,
 * screencasts and interviews that count the same. `occasion` is set by hand: how-to narration, where "To create a
 * project, select …" opens a step, is missing from the benchmark.
 */
export const CUT_MODEL: CutModel = {
  bias: -4.06,
  weights: {
    depthMid: 0.26,
    similarityNear: -0.6,
    similarityFar: -0.39,
    newTopic: 0.13,
    pause: 0.36,
    firstQuestion: 0.6,
    early: -0.48,
    late: -0.55,
    anaphora: -0.32,
    connective: 0.5,
    now: 0.14,
    intention: 0.81,
    ability: -0.48,
    sequence: 0.33,
    ordinal: 0.24,
    transition: 0.97,
    before: 0.7,
    agenda: 0.72,
    recap: 0.46,
    afterwards: -0.44,
    here: 0.35,
    present: 0.21,
    occasion: 0.8,
    addressee: 0.29,
    continuing: -0.75,
    acknowledging: 0.36,
    farewell: 0.32,
    promise: 0.42,
    result: 0.21,
    'intention next': 0.46,
    'agenda next': 0.4,
    'recap next': 0.54,
    'addressee next': 0.7,
    'sequence next': 0.31,
    'farewell next': -0.45,
    'before next': 0.23,
    'promise next': 0.49,
  },
}
