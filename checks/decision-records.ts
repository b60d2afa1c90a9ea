// `npm run check:docs`: whether each decision record is found by its subject, from the index and from where it is named.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFiles, readText, refuse } from './check.ts'

const FOLDER = 'docs/decisions'
const INDEX = `${FOLDER}/README.md`
/** A page. */
const WORDS_MAX = 600

const NAMED = /docs\/decisions\/[\w-]+\.md/g
/** Numbers say nothing of a subject, and there are none. */
const NUMBERED = /\b[Dd]ecisions? \d+/g

/** Finds records that the index does not list, that state no status, or that are longer than a page. */
export function findRecordFaults(root: string): string[] {
  const index = readFileSync(join(root, INDEX), 'utf8')
  const records = globSync(`${FOLDER}/*.md`, { cwd: root }).filter((file) => file !== INDEX)
  return records.toSorted().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const words = text.split(/\s+/).filter(Boolean).length
    return [
      ...(index.includes(`](${basename(file)})`) ? [] : [`${file}: is not in ${INDEX}`]),
      ...(text.includes('\n**Status:** ') ? [] : [`${file}: has no status`]),
      ...(words > WORDS_MAX ? [`${file}: has ${words} words, of at most ${WORDS_MAX}`] : []),
    ]
  })
}

/** Finds records that a text names by a number, or by a path that does not exist. */
export function findWrongNames(root: string, file: string, text: string): string[] {
  const missing = [...text.matchAll(NAMED)].map(([path]) => path).filter((path) => !existsSync(join(root, path)))
  const numbered = [...text.matchAll(NUMBERED)].map(([number]) => number)
  return [
    ...missing.map((path) => `${file}: ${path} does not exist`),
    ...numbered.map((number) => `${file}: "${number}" is no name of a decision record`),
  ]
}

/** The test of this check plants what is refused. */
const CHECKED = /^(?!checks\/decision-records\.test\.ts$).*\.(?:tsx?|mjs|md|toml|sql|css|html|py|json)$/

if (import.meta.main) {
  const files = (listFiles('.') ?? []).filter((file) => CHECKED.test(file))
  const named = files.flatMap((file) => findWrongNames('.', file, readText('.', file) ?? ''))
  refuse([...findRecordFaults('.'), ...named])
}
