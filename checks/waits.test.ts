import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What measures or passes real time. */
const TIMED = /waitForTimeout\(|scheduler\.wait\(|performance\.now\(|Date\.now\(\) - \w*[sS]tart/
const TESTS = [
  '{web,worker,contract,media,records,screen,local,checks,cloud,bench}/**/*.test.{ts,tsx}',
  'e2e/**/*.spec.ts',
]

/** Tests that wait for nothing that could be awaited, each with the reason. */
const ALLOWED: Record<string, string> = {
  'e2e/layout-shift.spec.ts': 'that nothing moves any more',
  'e2e/offline.spec.ts': 'what is younger than two seconds is not asked for again',
  'e2e/tutor-voice.spec.ts': 'a key that is held, and a sentence that is said, take their time',
  'e2e/upload.spec.ts': 'that nothing is sent any more',
  'media/cut-audio.test.ts': 'a bucket that takes its time',
  'web/features/network/network-badge.test.tsx': 'a call begins at the time of a clock that the test sets',
  'worker/http/behaviour/limit-calls.test.ts':
    'calls are counted by the minute of the clock, which is not to turn in between',
  'worker/routes/behaviour/learning-export.test.ts': 'that nothing is read any more',
}

it('measures no time in a test, and waits only where nothing can be awaited', () => {
  const files = TESTS.flatMap((pattern) => globSync(pattern)).filter((file) => file !== 'checks/waits.test.ts')
  const timed = files.filter((file) => TIMED.test(readFileSync(file, 'utf8')))
  expect(timed.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})
