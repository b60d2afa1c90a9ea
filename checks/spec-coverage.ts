// `npm run check:docs`: whether the tests that the tables of the docs name exist; with `--ran`, whether they passed in the
// last `npm test`.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const COVERAGE = 'docs/spec-coverage.md'
export const FAULTS = 'docs/faults.md'

/** A row of a table: what is said, and what shows it. Heads and rulers of tables are none. */
const ROW = /^\|(.+)\|([^|]+)\|\s*$/
const HEAD = /^\s*(?:-+|Test|Shown by)\s*$/
/** `` `file` › title of a test ``, several of them with line breaks between. */
const PROOF = /^`([^`]+)` › (.+)$/
/** What needs no test of ours, or cannot have one here, with the reason after it. */
const EXCUSE = /^(?:by Clerk|in words|only hosted|measured)\b./

/** Finds what is wrong with a test that a row names; null where nothing is. */
type FindFault = (file: string, title: string) => string | null

/** Rows that nothing shows, or whose test has a fault, as `row: what is wrong`. */
export function findUncovered(root: string, document: string, findFault: FindFault = findMissing(root)): string[] {
  const rows = readFileSync(join(root, document), 'utf8')
    .split('\n')
    .map((line) => ROW.exec(line))
  return rows.flatMap((row) => {
    const [, said = '', shown = ''] = row ?? []
    if (row === null || HEAD.test(shown)) return []
    return shown.split('<br>').flatMap((each) => {
      const proof = each.trim()
      if (EXCUSE.test(proof)) return []
      const [, file, title = ''] = PROOF.exec(proof) ?? []
      const fault = file === undefined ? `"${proof}" names no test` : findFault(file, title)
      return fault === null ? [] : [`${said.trim()}: ${fault}`]
    })
  })
}

/** A test that is not in its file. */
function findMissing(root: string): FindFault {
  return (file, title) => {
    const path = join(root, file)
    if (!existsSync(path)) return `${file} does not exist`
    const source = readFileSync(path, 'utf8').replaceAll("\\'", "'")
    const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))
    return isThere ? null : `${file} has no test "${title}"`
  }
}

/** Titles of tests that passed, and of the groups that hold them, by file. */
export type Passed = ReadonlyMap<string, readonly string[]>

/** What stands in a title for a value of the test's table: `%s`, `$name` or `${name}`. */
const PLACEHOLDER = /%[sdifjoOp#]|\\\$\\\{.*?\\\}|\\\$\w+/g

/** A test that did not pass in a run. */
export function findNotPassed(passed: Passed): FindFault {
  return (file, title) => {
    const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(`^${escaped.replaceAll(PLACEHOLDER, '.*')}$`, 's')
    return passed.get(file)?.some((each) => pattern.test(each)) ? null : `"${title}" of ${file} did not pass`
  }
}

interface VitestReport {
  testResults: { name: string; assertionResults: { status: string; title: string; ancestorTitles: string[] }[] }[]
}

interface PlaywrightSuite {
  file: string
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; ok: boolean }[]
}

/** Reads which tests passed out of the reports of `npm test`. @throws where one of them is not there */
export function readPassed(root: string, folder = 'test-results'): Passed {
  const read = (name: string) => JSON.parse(readFileSync(join(root, folder, name), 'utf8')) as unknown
  const units = ['vitest-worker.json', 'vitest-rest.json'].flatMap((name) =>
    (read(name) as VitestReport).testResults.map(({ name: path, assertionResults }) => {
      const passed = assertionResults.filter(({ status }) => status === 'passed')
      const titles = passed.flatMap(({ title, ancestorTitles }) => [title, ...ancestorTitles])
      return [relative(root, path), titles] as const
    }),
  )
  const journeys = (read('e2e.json') as { suites: PlaywrightSuite[] }).suites.map(
    (suite) => [`e2e/${suite.file}`, titlesOf(suite)] as const,
  )
  return new Map([...units, ...journeys])
}

function titlesOf({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => ok).map(({ title }) => title)
  const inner = suites.flatMap((suite) => [suite.title, ...titlesOf(suite)])
  return [...own, ...inner]
}

if (import.meta.main) {
  const root = process.cwd()
  const findFault = process.argv.includes('--ran') ? findNotPassed(readPassed(root)) : findMissing(root)
  const faults = [COVERAGE, FAULTS].flatMap((document) => findUncovered(root, document, findFault))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
