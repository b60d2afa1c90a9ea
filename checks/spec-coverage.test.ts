import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findNotPassed, findUncovered, readPassed } from './spec-coverage.ts'

function writeReports(): string {
  const root = mkdtempSync(join(tmpdir(), 'adapt-coverage-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'test-results'))
  const write = (name: string, report: unknown) =>
    writeFileSync(join(root, 'test-results', name), JSON.stringify(report))
  const results = [
    { status: 'passed', title: 'answers 404 for another owner', ancestorTitles: ['GET /api/steps'] },
    { status: 'passed', title: 'case 8: starts one run (twice)', ancestorTitles: [] },
    { status: 'skipped', title: 'is put off', ancestorTitles: [] },
    { status: 'failed', title: 'is broken', ancestorTitles: [] },
  ]
  write('vitest-worker.json', {
    testResults: [{ name: join(root, 'worker/steps.test.ts'), assertionResults: results }],
  })
  write('vitest-rest.json', { testResults: [] })
  const inner = { file: 'share.spec.ts', title: 'on a phone', specs: [{ title: 'opens', ok: true }] }
  const specs = [{ title: 'fails', ok: false }]
  write('e2e.json', { suites: [{ file: 'share.spec.ts', title: 'share.spec.ts', specs, suites: [inner] }] })
  return root
}

it('takes rows whose tests passed, with the values of a table in place of its placeholders, and refuses the others', () => {
  const root = writeReports()
  const rows = [
    ['Whole', '`worker/steps.test.ts` › case 8: starts one run (twice)'],
    ['Table', '`worker/steps.test.ts` › answers %s for $name'],
    ['Group', '`worker/steps.test.ts` › GET /api/steps<br>`e2e/share.spec.ts` › opens'],
    ['Excused', 'by Clerk, in its library'],
    ['Skipped', '`worker/steps.test.ts` › is put off'],
    ['Failed', '`worker/steps.test.ts` › is broken<br>`e2e/share.spec.ts` › fails'],
    ['Part', '`worker/steps.test.ts` › answers'],
    ['Not run', '`worker/other.test.ts` › answers'],
  ]
  writeFileSync(join(root, 'table.md'), rows.map((row) => `| ${row.join(' | ')} |`).join('\n'))
  expect(findUncovered(root, 'table.md', findNotPassed(readPassed(root)))).toEqual([
    'Skipped: "is put off" of worker/steps.test.ts did not pass',
    'Failed: "is broken" of worker/steps.test.ts did not pass',
    'Failed: "fails" of e2e/share.spec.ts did not pass',
    'Part: "answers" of worker/steps.test.ts did not pass',
    'Not run: "answers" of worker/other.test.ts did not pass',
  ])
})
