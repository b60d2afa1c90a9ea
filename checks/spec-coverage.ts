import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const COVERAGE = 'docs/spec-coverage.md'
export const FAULTS = 'docs/faults.md'

/** A row of a table: what is said, and what shows it. Heads and rulers of tables are none. */
const ROW = /^\|(.+)\|([^|]+)\|\s*$/
const HEAD = /^\s*(?:-+|Test|Shown by)\s*$/
/** `` `file` › title of a test ``, several of them with line breaks between. */
const PROOF = /^`([^`]+)` › (.+)$/
/** What needs no test of ours, or cannot have one here, with the reason after it. */
const EXCUSE = /^(?:by Clerk|in words|only hosted|measured)\b./

/** Rows that nothing shows, or that name a test which does not exist, as `row: what is wrong`. */
export function findUncovered(root: string, document: string): string[] {
  const rows = readFileSync(join(root, document), 'utf8')
    .split('\n')
    .map((line) => ROW.exec(line))
  return rows.flatMap((row) => {
    const [, said = '', shown = ''] = row ?? []
    if (row === null || HEAD.test(shown)) return []
    return shown.split('<br>').flatMap((proof) => {
      const fault = EXCUSE.test(proof.trim()) ? null : findFault(root, proof.trim())
      return fault === null ? [] : [`${said.trim()}: ${fault}`]
    })
  })
}

function findFault(root: string, proof: string): string | null {
  const [, file = '', title = ''] = PROOF.exec(proof) ?? []
  if (file === '') return `"${proof}" names no test`
  const path = join(root, file)
  if (!existsSync(path)) return `${file} does not exist`
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'")
  const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))
  return isThere ? null : `${file} has no test "${title}"`
}

if (import.meta.main) {
  const faults = [COVERAGE, FAULTS].flatMap((document) => findUncovered('.', document))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
