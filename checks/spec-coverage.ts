// `npm run check:docs`: whether the tables of the docs name the tests that carry the tag of each row, such as `[fault 12]`;
// `npm run generate:docs` writes them, and `--ran` asks whether these tests passed in the last `npm test`.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from './check.ts'
import { type Reported, readPlaywright, readVitest, UNIT_RUNS } from './reports.ts'

const DOCUMENTS = ['docs/spec-coverage.md', 'docs/faults.md']

interface Tagged {
  tag: string
  file: string
  title: string
}

const TAG = /\[((?:spec|fault|guarantee|threat|attack) [\w.]+)\]/g
/** A title in a source that ends with tags. */
const TITLE = /(['"`])((?:\\.|(?!\1)[^\\\n])+?)((?: \[(?:spec|fault|guarantee|threat|attack) [\w.]+\])+)\1/g

export function findTagged(root: string): Tagged[] {
  const files = globSync('**/*.{test,spec}.{ts,tsx}', { cwd: root, exclude: (name) => name === 'node_modules' })
  return files.toSorted().flatMap((file) => {
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)]
    return titles.flatMap(([, , escaped = '', tags = '']) => {
      const title = escaped.replaceAll("\\'", "'")
      return [...tags.matchAll(TAG)].map(([, tag = '']) => ({ tag, file, title }))
    })
  })
}

/** A row of a table: its tag, what is said, and what shows it. Heads and rulers of tables are none. */
const ROW = /^\| (?!Tag )([^|]*) \|(.+)\|([^|]*)\|$/gm
/** What has no test of ours, with the reason after it: the one part of the last cell that is written by hand. */
const EXCUSE = /^(?:by Clerk|in words|only hosted|measured)\b./

/** Writes the tests with the tag of each row into its last cell, before its excuses. */
export function fillRows(document: string, tagged: readonly Tagged[]): string {
  return document.replaceAll(ROW, (_row, tag: string, said: string, shown: string) => {
    const tests = tagged.filter((each) => each.tag === tag).map(({ file, title }) => `\`${file}\` › ${title}`)
    const excuses = shown.split('<br>').filter((part) => EXCUSE.test(part.trim()))
    return `| ${tag} |${said}| ${[...new Set(tests), ...excuses.map((part) => part.trim())].join('<br>')} |`
  })
}

/** Finds rows that nothing shows, rows that are not as `fillRows` writes them, and tags that no row has. */
export function findUncovered(documents: readonly string[], tagged: readonly Tagged[]): string[] {
  const rows = documents.flatMap((document) => [...document.matchAll(ROW)].map(([row, tag = '']) => ({ row, tag })))
  const faults = rows.flatMap(({ row, tag }) => {
    const fresh = fillRows(row, tagged)
    if (fresh.endsWith('|  |')) return [`${tag}: no test has this tag`]
    return fresh === row ? [] : [`${tag}: is not as \`npm run generate:docs\` writes it`]
  })
  const known = new Set(rows.map(({ tag }) => tag))
  const unknown = tagged.filter(({ tag }) => !known.has(tag))
  return [...faults, ...unknown.map(({ tag, file, title }) => `${tag}: no row for "${title}" of ${file}`)]
}

/** Finds tags of which a file has no test in the reports, or one that did not pass. */
export function findNotPassed(tagged: readonly Tagged[], reported: readonly Reported[]): string[] {
  const faults = tagged.flatMap(({ tag, file }) => {
    const tests = reported.filter((test) => test.file === file && test.title.includes(`[${tag}]`))
    if (tests.length === 0) return [`${tag}: did not run in ${file}`]
    const isPassed = ({ outcome }: Reported) => outcome === 'passed' || outcome === 'flaky'
    return tests.filter((test) => !isPassed(test)).map(({ title }) => `${tag}: "${title}" of ${file} did not pass`)
  })
  return [...new Set(faults)]
}

/** Reads the reports of `npm test`. @throws where one of them is not there */
export function readReported(root: string): Reported[] {
  const read = (name: string) => JSON.parse(readFileSync(join(root, 'test-results', name), 'utf8')) as never
  const units = UNIT_RUNS.flatMap(({ report }) => readVitest(read(report), root))
  return [...units, ...readPlaywright(read('e2e.json'))]
}

if (import.meta.main) {
  const tagged = findTagged('.')
  const read = (path: string) => readFileSync(path, 'utf8')
  if (process.argv.includes('--write')) {
    for (const path of DOCUMENTS) writeFileSync(path, fillRows(read(path), tagged))
  }
  const ran = process.argv.includes('--ran') ? findNotPassed(tagged, readReported(process.cwd())) : []
  refuse([...findUncovered(DOCUMENTS.map(read), tagged), ...ran])
}
