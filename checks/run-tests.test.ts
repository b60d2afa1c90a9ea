import { describe, expect, it } from 'vitest'
import { sumTallies, tallyPlaywright, tallyVitest } from './run-tests.ts'

const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, numFailedTestSuites: 0 }

describe('the last line of npm test', () => {
  it('counts a suite that could not be loaded as a failure', () => {
    expect(tallyVitest({ ...none, numPassedTests: 3, numFailedTestSuites: 2 })).toMatchObject({ passed: 3, failed: 1 })
  })

  it('counts a browser run that could not start as a failure', () => {
    const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
    expect(tallyPlaywright({ stats, errors: ['no browser'] }).failed).toBe(1)
  })

  it('never calls a runner that failed a success', () => {
    const tally = { passed: 5, failed: 0, skipped: 1 }
    expect(
      sumTallies([
        { tally, ok: true },
        { tally, ok: false },
      ]),
    ).toEqual({ passed: 10, failed: 1, skipped: 2 })
  })
})
