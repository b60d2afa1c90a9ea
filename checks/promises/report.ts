// `npm run report:coverage`: writes what Adapt promises, with the tests that show it and how they ended in the last runs of
// the test runners, into test-results/coverage.md; `-- --json` prints it instead.
import { mkdirSync, writeFileSync } from 'node:fs'
import { type Reported, readReports } from '../reports.ts'
import { findTagged, type Tagged } from './find-tagged.ts'
import { type Chapter, PROMISES, type Promised } from './promises.ts'

const FILE = 'test-results/coverage.md'

export interface ShownTest {
  file: string
  title: string
  outcome: Reported['outcome'] | 'not run'
}

export interface ShownChapter extends Chapter {
  rows: readonly (Promised & { tests: readonly ShownTest[] })[]
}

/** Adds to each row the tests with its tag: those of the reports, or those of the sources where a file did not run. */
export function showTests(
  chapters: readonly Chapter[],
  tagged: readonly Tagged[],
  reported: readonly Reported[],
): ShownChapter[] {
  const testsOf = (wanted: string) => {
    const files = Map.groupBy(
      tagged.filter(({ tag }) => tag === wanted),
      ({ file }) => file,
    )
    return [...files].flatMap(([file, sources]): ShownTest[] => {
      const ran = reported.filter((test) => test.file === file && test.tags.includes(wanted))
      if (ran.length > 0) return ran.map(({ title, outcome }) => ({ file, title, outcome }))
      return sources.map(({ title }) => ({ file, title, outcome: 'not run' }))
    })
  }
  return chapters.map((chapter) => ({
    ...chapter,
    rows: chapter.rows.map((row) => ({ ...row, tests: testsOf(row.tag) })),
  }))
}

export function writeMarkdown(chapters: readonly ShownChapter[]): string {
  const parts = chapters.flatMap(({ title, about = [], rows }) => [
    `## ${title}`,
    ...about,
    ['| Tag | Promise | Shown by |', '|---|---|---|', ...rows.map(writeRow)].join('\n'),
  ])
  return `${['# What Adapt promises, and the tests that show it', ...parts].join('\n\n')}\n`
}

function writeRow({ tag, text, see, limit, untested = [], tests }: ShownChapter['rows'][number]): string {
  const promise = [text, ...(see === undefined ? [] : [see]), ...(limit === undefined ? [] : [`Limit: ${limit}`])]
  const shown = tests.map(({ file, title, outcome }) => `${outcome}: \`${file}\` › ${title}`)
  const cells = [tag, promise.join('<br>'), [...shown, ...untested].join('<br>')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

if (import.meta.main) {
  const chapters = showTests(PROMISES, findTagged('.'), readReports(process.cwd(), { allowMissing: true }))
  if (process.argv.includes('--json')) console.log(JSON.stringify(chapters, null, 2))
  else {
    mkdirSync('test-results', { recursive: true })
    writeFileSync(FILE, writeMarkdown(chapters))
    console.log(`Written: ${FILE}`)
  }
}
