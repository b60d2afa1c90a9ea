import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** TEST_SEED of the environment; null where every run has a seed of its own. */
    testSeed: number | null
  }
}

const LARGEST_SEED = 1_000_000

/** Returns the seed of random input: TEST_SEED, or a new one, which a failing test has to print. */
export function pickSeed(): number {
  return inject('testSeed') ?? Math.floor(Math.random() * LARGEST_SEED)
}

/** Below the time of a test, so that one that takes too long ends with its seed. */
const PROPERTY_TIME_MS = 50_000

const testSeed = inject('testSeed')
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  interruptAfterTimeLimit: PROPERTY_TIME_MS,
  // What was not looked at may be wrong.
  markInterruptAsFailure: true,
  ...(testSeed === null ? {} : { seed: testSeed }),
})
