import { expect, it } from 'vitest'
import type { Reported } from '../reports.ts'
import { findNotPassed, findUncovered } from './check-tags.ts'
import type { Tagged } from './find-tagged.ts'

const tagged = (file: string, ...tags: string[]): Tagged[] => tags.map((tag) => ({ tag, file, title: 'a title' }))

it('refuses a row without a test or a reason, two rows with one tag, and a tag without a row', () => {
  const rows = [
    { tag: 'fault-1', text: 'Is tested' },
    { tag: 'fault-2', text: 'Has a reason', untested: ['only hosted: the limits of an account'] },
    { tag: 'fault-3', text: 'Has neither' },
    { tag: 'fault-4', text: 'Has no reason', untested: [] },
    { tag: 'fault-1', text: 'Is another' },
  ]
  expect(findUncovered(rows, tagged('worker/a.test.ts', 'fault-1', 'spec-9.9'))).toEqual([
    'fault-3: no test has this tag',
    'fault-4: no test has this tag',
    'fault-1: two rows have this tag',
    'spec-9.9: no row for "a title" of worker/a.test.ts',
  ])
})

it('refuses tags of which a file has no test in the reports, or one that did not pass', () => {
  const steps = { file: 'worker/steps.test.ts', tookMs: 1 }
  const journey = { file: 'e2e/b.spec.ts', tookMs: 1 }
  const reported: Reported[] = [
    { ...steps, title: 'answers 404', outcome: 'passed', tags: ['spec-7.6'] },
    { ...steps, title: 'starts one run', outcome: 'flaky', tags: ['fault-8', 'guarantee-G1'] },
    { ...steps, title: 'is put off', outcome: 'skipped', tags: ['fault-9'] },
    { ...steps, title: 'is broken', outcome: 'failed', tags: ['fault-8', 'fault-10'] },
    { ...journey, title: 'opens', outcome: 'passed', tags: ['spec-2.1'] },
  ]
  const tests = [
    ...tagged('worker/steps.test.ts', 'spec-7.6', 'guarantee-G1', 'fault-8', 'fault-9', 'fault-1'),
    ...tagged('e2e/b.spec.ts', 'spec-2.1', 'fault-10'),
  ]
  expect(findNotPassed(tests, reported)).toEqual([
    'fault-8: "is broken" of worker/steps.test.ts did not pass',
    'fault-9: "is put off" of worker/steps.test.ts did not pass',
    'fault-1: did not run in worker/steps.test.ts',
    'fault-10: did not run in e2e/b.spec.ts',
  ])
})
