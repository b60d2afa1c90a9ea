import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { type Reported, readPlaywright } from './reports.ts'
import { formatEnd, formatSlowest, formatUnsteady, limitTime, tallyRuns } from './run-tests.ts'

function ran(count: number, outcome: Reported['outcome']): Reported[] {
  return Array.from({ length: count }, (_, at) => ({ file: 'a.test.ts', title: `${at}`, tags: [], outcome, tookMs: 1 }))
}

describe('the last line of npm test', () => {
  it('counts a file that could not be loaded as a failure', () => {
    expect(tallyRuns([{ name: 'a', tests: ran(3, 'passed'), ok: false }])).toMatchObject({ passed: 3, failed: 1 })
  })

  it('counts a browser run that could not start as a failure', () => {
    expect(tallyRuns([{ name: 'a', tests: [], ok: false }]).failed).toBe(1)
  })

  it('never calls a runner that failed a success', () => {
    const tests = [...ran(4, 'passed'), ...ran(1, 'skipped'), ...ran(1, 'flaky')]
    expect(
      tallyRuns([
        { name: 'a', tests, ok: true },
        { name: 'b', tests, ok: false },
      ]),
    ).toEqual({ passed: 10, failed: 1, skipped: 2, flaky: 2 })
  })

  it('counts each test that failed once', () => {
    expect(tallyRuns([{ name: 'a', tests: ran(2, 'failed'), ok: false }]).failed).toBe(2)
  })

  it('says how many journeys needed a second try, in a line before it', () => {
    const tests = [...ran(7, 'passed'), ...ran(2, 'flaky')]
    expect(formatEnd(tallyRuns([{ name: 'a', tests, ok: true }]))).toEqual({
      lines: ['2 flaky', '9 passed, 0 failed'],
      ok: true,
    })
  })

  it('fails with three flaky journeys, and counts them as failed', () => {
    const tests = [...ran(7, 'passed'), ...ran(3, 'flaky')]
    expect(formatEnd(tallyRuns([{ name: 'a', tests, ok: true }]))).toEqual({
      lines: ['3 flaky', '7 passed, 3 failed'],
      ok: false,
    })
  })

  it('fails with a skipped test', () => {
    const tests = [...ran(3, 'passed'), ...ran(1, 'skipped')]
    expect(formatEnd(tallyRuns([{ name: 'a', tests, ok: true }]))).toEqual({
      lines: ['1 skipped, which counts as failed; the reasons are above.', '0 flaky', '3 passed, 1 failed'],
      ok: false,
    })
  })
})

describe('what is to be looked at', () => {
  it('names each test that did not pass at once, and each runner that failed outside of any', () => {
    const tests = [...ran(1, 'passed'), ...ran(1, 'flaky'), ...ran(1, 'failed')]
    const unnamed = { name: 'vitest run', tests: ran(1, 'passed'), ok: false }
    expect(formatUnsteady([{ name: 'a', tests, ok: false }, unnamed])).toEqual([
      'flaky: a.test.ts › 0',
      'failed: a.test.ts › 0',
      'failed: vitest run, outside of any test',
    ])
  })
})

describe('the slowest files', () => {
  it('the slowest files are ten at most, the slowest first', () => {
    const tests = Array.from({ length: 12 }, (_, at) => ({
      ...(ran(1, 'passed')[0] as Reported),
      file: `${at}.test.ts`,
      tookMs: at * 1_000,
    }))
    expect(formatSlowest(tests)).toHaveLength(10)
    expect(formatSlowest(tests)[0]).toBe('   11.0 s  11.test.ts')
  })

  it('the slowest files count all tries of all journeys of a file', () => {
    const tests = [{ status: 'flaky', results: [{ duration: 100 }, { duration: 20 }] }]
    const suite = { file: 'share.spec.ts', title: '', specs: [{ title: 'opens', tags: [], tests }] }
    expect(formatSlowest(readPlaywright({ suites: [{ ...suite, suites: [suite] }] } as never))).toEqual([
      '    0.2 s  e2e/share.spec.ts',
    ])
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
