// `npm run check:docs`: whether each row of promises.json has a test with its tag, or a reason why it has none;
// `npm run check:ran` also asks whether these tests passed in the last `npm test`.
import { refuse } from '../check.ts'
import { type Reported, readReports } from '../reports.ts'
import { findTagged, type Tagged } from './find-tagged.ts'
import { listRows, PROMISES, type Promised } from './promises.ts'

/** Finds rows that nothing shows, rows with the tag of another, and tags that no row has. */
export function findUncovered(rows: readonly Promised[], tagged: readonly Tagged[]): string[] {
  const shown = new Set(tagged.map(({ tag }) => tag))
  const known = new Map<string, Promised>()
  const faults = rows.flatMap((row) => {
    const { tag, untested = [] } = row
    const isTwice = known.has(tag)
    known.set(tag, row)
    if (isTwice) return [`${tag}: two rows have this tag`]
    return shown.has(tag) || untested.length > 0 ? [] : [`${tag}: no test has this tag`]
  })
  const unknown = tagged.filter(({ tag }) => !known.has(tag))
  return [...faults, ...unknown.map(({ tag, file, title }) => `${tag}: no row for "${title}" of ${file}`)]
}

/** Finds tags of which a file has no test in the reports, or one that did not pass. */
export function findNotPassed(tagged: readonly Tagged[], reported: readonly Reported[]): string[] {
  const faults = tagged.flatMap(({ tag, file }) => {
    const tests = reported.filter((test) => test.file === file && test.tags.includes(tag))
    if (tests.length === 0) return [`${tag}: did not run in ${file}`]
    const isPassed = ({ outcome }: Reported) => outcome === 'passed' || outcome === 'flaky'
    return tests.filter((test) => !isPassed(test)).map(({ title }) => `${tag}: "${title}" of ${file} did not pass`)
  })
  return [...new Set(faults)]
}

if (import.meta.main) {
  const tagged = findTagged('.')
  const ran = process.argv.includes('--ran') ? findNotPassed(tagged, readReports(process.cwd())) : []
  refuse([...findUncovered(listRows(PROMISES), tagged), ...ran])
}
