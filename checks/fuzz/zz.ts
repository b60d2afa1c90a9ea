import { writeSync } from 'node:fs'
import fc from 'fast-check'
import { damage, damages } from '../../media/testing/fuzz/mutate-media.ts'
import { makePartSeeds } from '../../worker/domain/media/testing/part-seeds.ts'

const seeds = makePartSeeds()
const all = fc.sample(damages, { seed: 99, numRuns: 20000 })
let t = performance.now()
for (const [at, d] of all.entries()) {
  const s = seeds[at % seeds.length]!
  const f = damage(s.bytes, d)
  if (at % 1000 === 0) writeSync(1, `${at} ${(performance.now() - t).toFixed(0)}\n`)
  const t0 = performance.now()
  writeSync(2, `${at} ${s.name} ${JSON.stringify(d)}\n`)
  await s.tryFile(f)
  if (performance.now() - t0 > 500)
    writeSync(1, `SLOW ${at} ${s.name} ${JSON.stringify(d)} ${performance.now() - t0}\n`)
}
