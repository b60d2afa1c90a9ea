import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import {
  formatEnd,
  formatSlowest,
  limitTime,
  sumTallies,
  tallyPlaywright,
  tallyVitest,
  timesOfPlaywright,
} from './run-tests.ts'

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
    const tally = { passed: 5, failed: 0, skipped: 1, flaky: 1 }
    expect(
      sumTallies([
        { tally, ok: true },
        { tally, ok: false },
      ]),
    ).toEqual({ passed: 10, failed: 1, skipped: 2, flaky: 2 })
  })

  it('says how many journeys needed a second try, in a line before it', () => {
    const stats = { expected: 7, unexpected: 0, flaky: 2, skipped: 0 }
    expect(formatEnd(tallyPlaywright({ stats, errors: [] }))).toEqual({
      lines: ['2 flaky', '9 passed, 0 failed'],
      ok: true,
    })
  })

  it('fails with three flaky journeys, and counts them as failed', () => {
    const stats = { expected: 7, unexpected: 0, flaky: 3, skipped: 0 }
    expect(formatEnd(tallyPlaywright({ stats, errors: [] }))).toEqual({
      lines: ['3 flaky', '7 passed, 3 failed'],
      ok: false,
    })
  })

  it('fails with a skipped test', () => {
    const tally = tallyVitest({ ...none, numPassedTests: 3, numPendingTests: 1 })
    expect(formatEnd(tally)).toEqual({
      lines: ['1 skipped, which counts as failed; the reasons are above.', '0 flaky', '3 passed, 1 failed'],
      ok: false,
    })
  })
})

describe('the slowest files', () => {
  it('are ten at most, the slowest first', () => {
    const times = Array.from({ length: 12 }, (_, at) => ({ file: `${at}.test.ts`, tookMs: at * 1_000 }))
    expect(formatSlowest(times)).toHaveLength(10)
    expect(formatSlowest(times)[0]).toBe('   11.0 s  11.test.ts')
  })

  it('count all tries of all journeys of a file', () => {
    const specs = [{ tests: [{ results: [{ duration: 100 }, { duration: 20 }] }] }]
    const suites = [{ file: 'share.spec.ts', specs, suites: [{ file: 'share.spec.ts', specs }] }]
    expect(timesOfPlaywright({ suites })).toEqual([{ file: 'e2e/share.spec.ts', tookMs: 240 }])
  })
})

describe('a runner that does not end', () => {
  it('is killed with all that it has started, and named', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
    const looping = 'console.log("up"); for (;;);'
    const child = spawn('sh', ['-c', '"$0" -e "$1" & wait', process.execPath, looping], { detached: true })
    await once(child.stdout, 'data')
    const letBe = limitTime(child, 'vitest run', 1)
    // The output closes when the last process that could write to it is gone.
    const [, signal] = await once(child, 'close')
    expect(signal).toBe('SIGKILL')
    letBe()
    expect(complain).toHaveBeenCalledWith(expect.stringMatching(/^vitest run has not ended within/))
  })
})
