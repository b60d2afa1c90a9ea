/**
 * Counts the steps of a loop over text that a user supplies, so that a test can show that they grow with the text and
 * not with its square. Nothing counts outside of tests.
 */
export type CountSteps = (steps: number) => void

/** Counts nothing. */
export const uncounted: CountSteps = () => undefined
