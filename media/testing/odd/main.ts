import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AXES, makeInputs, makeOddFile, nameOf, type OddFile, rightTrackOf, settle, USUAL } from './odd-files.ts'
import { compareCut } from './compare-cut.ts'
const folder = mkdtempSync(join(tmpdir(), 'odd-'))
const inputs = makeInputs(folder)
const seen = new Set<string>()
for (const axis of Object.keys(AXES) as (keyof OddFile)[])
  for (const value of AXES[axis]) {
    const file = settle({ ...USUAL, [axis]: value } as OddFile)
    if (axis === 'lengths' && process.argv[2]) Object.assign(file, { layout: process.argv[2] })
    const name = nameOf(file)
    if (seen.has(name)) continue
    seen.add(name)
    const t = performance.now()
    const path = makeOddFile(file, inputs, 'odd')
    const t2 = performance.now()
    const r = await compareCut(path, rightTrackOf(file), folder)
    console.log(
      name.padEnd(30),
      r.refusal ?? (r.faults.length ? 'WRONG ' + r.faults.slice(0, 3).join('; ') : 'right'),
      Math.round(t2 - t),
      Math.round(performance.now() - t2),
    )
  }
rmSync(folder, { recursive: true })
