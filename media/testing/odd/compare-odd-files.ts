import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { compareCut, type Refusal } from './compare-cut.ts'
import { AXES, keepFile, makeInputs, makeOddFile, nameOf, type OddFile, settle, USUAL } from './odd-files.ts'

/** What became of each file. */
export interface OddReport {
  right: string[]
  /** How each was refused; for a reason that `docs/media-files.md` does not list for it a file is wrong. */
  refused: { name: string; refusal: Refusal }[]
  /** A sentence each. */
  wrong: string[]
}

interface OddOptions {
  seed: number
  files: number
  /** Where files are kept whose cut is wrong; null: nowhere. */
  keepIn?: string | null
}

/** Makes odd files, each kind of oddity by itself first and then together as the seed says, and compares how they are cut. */
export async function compareOddFiles({ seed, files, keepIn = null }: OddOptions): Promise<OddReport> {
  const folder = mkdtempSync(join(tmpdir(), 'odd-'))
  const report: OddReport = { right: [], refused: [], wrong: [] }
  try {
    const inputs = makeInputs(folder)
    const refusable = readRefusable()
    for (const [at, file] of listFiles(seed, files).entries()) {
      const name = nameOf(file)
      const made = makeOddFile(file, inputs, `odd-${at}`)
      const { refusal, faults } = await compareCut(made, folder)
      const codes = Object.values(file).map((value) => refusable.get(value))
      const isListed = refusal !== null && codes.includes(refusal.code)
      if (refusal !== null && !isListed) faults.push(`is refused: ${refusal.code}, ${refusal.reason}`)
      if (isListed) report.refused.push({ name, refusal })
      else if (faults.length === 0) report.right.push(name)
      else report.wrong.push(`file ${at} of seed ${seed}, ${name}: ${faults.join('; ')}`)
      if (faults.length > 0 && keepIn !== null) keepFile(made.path, keepIn)
      rmSync(made.path)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return report
}

const LIST = join(import.meta.dirname, '../../../docs/media-files.md')

/** The code that each name in the list for people is refused with. */
function readRefusable(): Map<string, string> {
  const refused = readFileSync(LIST, 'utf8').split('## Refused')[1] ?? ''
  const rows = refused.split('\n').map((row) => row.split('|').map((cell) => namesIn(cell)))
  return new Map(rows.flatMap(([, [code = ''] = [], names = []]) => names.map((name) => [name, code] as const)))
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([a-z0-9_-]+)`/g)].map(([, name = '']) => name)
}

const AXIS_NAMES = Object.keys(AXES) as (keyof OddFile)[]

function listFiles(seed: number, files: number): OddFile[] {
  const single = AXIS_NAMES.flatMap((axis) => AXES[axis].map((value) => settle({ ...USUAL, [axis]: value })))
  const one = fc.record(
    Object.fromEntries(AXIS_NAMES.map((axis) => [axis, oftenUsual(axis)])) as {
      [Axis in keyof OddFile]: fc.Arbitrary<OddFile[Axis]>
    },
  )
  const mixed = fc.sample(one, { seed, numRuns: files }).map(settle)
  // The fault of a fragment that breaks off shows in no single oddity.
  const broken = settle({ ...USUAL, layout: 'fragmented', ending: 'cut' })
  const byName = new Map([...single, broken, ...mixed].map((file) => [nameOf(file), file]))
  return [...byName.values()].slice(0, files)
}

/** A file that is odd in everything at once is seldom made, and says little about what is wrong. */
function oftenUsual<Axis extends keyof OddFile>(axis: Axis): fc.Arbitrary<OddFile[Axis]> {
  const values = AXES[axis] as readonly unknown[] as readonly OddFile[Axis][]
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(USUAL[axis]) },
    { weight: 3, arbitrary: fc.constantFrom(...values) },
  )
}
