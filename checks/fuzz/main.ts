// `npm run fuzz`: sends bad input to every route of the whole system.
import { parseArgs } from 'node:util'
import { type FuzzReport, runFuzz } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import { openTarget } from './open-target.ts'
import { printFuzz } from './print-fuzz.ts'

const DEFAULT_CASES = '10000'
const LARGEST_SEED = 1_000_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
    cases: { type: 'string', default: DEFAULT_CASES },
    json: { type: 'boolean', default: false },
  },
})

const seed = readCount('seed', values.seed)
const cases = readCount('cases', values.cases)
console.error(`fuzz: ${cases} cases, seed ${seed}`)
const startedMs = performance.now()
const report = await fuzzRoutes()
const tookS = (performance.now() - startedMs) / 1_000
if (values.json) console.log(JSON.stringify({ seed, cases, tookS, ...report }, null, 2))
else printFuzz(report, { seed, cases, tookS })
process.exit(report.faults.length === 0 ? 0 : 1)

async function fuzzRoutes(): Promise<FuzzReport> {
  const target = await openTarget()
  try {
    return await runFuzz(target, {
      seed,
      cases,
      onFault: ({ what, number, call }) => console.error(`  ${number ?? 'afterwards'}: ${what}\n    ${call}`),
    })
  } finally {
    await target.close()
  }
}

function readCount(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number, not "${text}"`)
}
