import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { UNIT_RUNS } from './reports.ts'
import { fillRows, findNotPassed, findTagged, findUncovered, readReported } from './spec-coverage.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adapt-coverage-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
})

function write(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** The tag is not written out, or the check would take it for one of this file. */
const tagged = (title: string, ...tags: string[]) => [title, ...tags.map((tag) => `[${tag}]`)].join(' ')

it('writes the tests of each tag into the last cell, keeps the reasons there, and finds what is missing', () => {
  const each = `])('${tagged('reads %s', 'fault 2')}', (form) => {})`
  write('worker/a.test.ts', `test("${tagged("isn't lost", 'fault 1', 'spec 9.9')}", () => {})\n${each}\n`)
  write('e2e/b.spec.ts', `test('${tagged("it\\'s there", 'fault 1')}', () => {})\ntest('is of no row', () => {})\n`)
  write('node_modules/c/c.test.ts', `test('${tagged('is not ours', 'fault 1')}', () => {})\n`)
  const document = `# Faults
| Tag | What goes wrong | Shown by |
|---|---|---|
| fault 1 | Lost | \`worker/gone.test.ts\` › was lost<br>only hosted: the limits of an account |
| fault 2 | Read | \`worker/a.test.ts\` › reads %s |
| fault 3 | Excused | by Clerk, in its library |
| fault 4 | No reason | only hosted |
| fault 5 | Put off | later, with the tutor |
| fault 6 | Forgotten | |
| fault 12 | A promise | it works |
| Twelve | No tag | \`worker/a.test.ts\` › reads %s |
`
  const tests = findTagged(root)
  expect(findUncovered([document], tests)).toEqual([
    'fault 1: is not as `npm run generate:docs` writes it',
    'fault 4: no test has this tag',
    'fault 5: no test has this tag',
    'fault 6: no test has this tag',
    'fault 12: no test has this tag',
    'Twelve: no test has this tag',
    'spec 9.9: no row for "isn\'t lost" of worker/a.test.ts',
  ])
  const shown =
    "`e2e/b.spec.ts` › it's there<br>`worker/a.test.ts` › isn't lost<br>only hosted: the limits of an account"
  expect(fillRows(document, tests)).toContain(`| fault 1 | Lost | ${shown} |\n| fault 2 |`)
})

const ran = (title: string, status: string) => ({ title, tests: [{ status, results: [] }] })

it('refuses tags of which a file has no test in the reports, or one that did not pass', () => {
  const results = [
    { status: 'passed', fullName: tagged('GET /api/steps', 'spec 7.6') + ' answers 404 for another owner' },
    { status: 'passed', fullName: tagged('starts one run (twice)', 'fault 8', 'guarantee G1') },
    { status: 'skipped', fullName: tagged('is put off', 'fault 9') },
    { status: 'failed', fullName: tagged('is broken', 'fault 8', 'fault 10') },
  ]
  const units = { testResults: [{ name: join(root, 'worker/steps.test.ts'), assertionResults: results }] }
  const inner = { file: 'b.spec.ts', title: tagged('on a phone', 'spec 2.1'), specs: [ran('opens', 'expected')] }
  const specs = [ran(tagged('fails', 'threat 1'), 'unexpected')]
  UNIT_RUNS.forEach(({ report }, at) => {
    write(`test-results/${report}`, JSON.stringify(at === 0 ? units : { testResults: [] }))
  })
  write(
    'test-results/e2e.json',
    JSON.stringify({ suites: [{ file: 'b.spec.ts', title: 'b.spec.ts', specs, suites: [inner] }] }),
  )
  const at = (file: string, ...tags: string[]) => tags.map((tag) => ({ tag, file, title: '' }))
  const tests = [
    ...at('worker/steps.test.ts', 'spec 7.6', 'guarantee G1', 'fault 8', 'fault 9', 'fault 1'),
    ...at('e2e/b.spec.ts', 'spec 2.1', 'threat 1', 'fault 10'),
  ]
  expect(findNotPassed(tests, readReported(root))).toEqual([
    `fault 8: "${tagged('is broken', 'fault 8', 'fault 10')}" of worker/steps.test.ts did not pass`,
    `fault 9: "${tagged('is put off', 'fault 9')}" of worker/steps.test.ts did not pass`,
    'fault 1: did not run in worker/steps.test.ts',
    `threat 1: "b.spec.ts ${tagged('fails', 'threat 1')}" of e2e/b.spec.ts did not pass`,
    'fault 10: did not run in e2e/b.spec.ts',
  ])
})
