import { parseArgs } from 'node:util'
import { fuzzMedia } from '#media/testing/fuzz/fuzz-media.ts'
import { makeSeeds } from '#media/testing/fuzz/media-seeds.ts'
import { makeChunkSeeds } from '#worker/domain/media/testing/chunk-seeds.ts'
import { fuzzCaptions } from '#worker/domain/transcript/testing/fuzz-captions.ts'
import { type FuzzReport, runFuzz } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import { openTarget } from './target.ts'

interface Run {
  seed: number
  cases: number
  tookS: number
}

interface FileReport {
  ends: Record<string, number>
  slowestMs: number
  largestBytes?: number
  faults: string[]
}

const CLASSES = [1, 2, 3, 4, 5]

/** A row for each route: how many cases, what became of them, and how long the slowest took. */
function printFuzz({ routes, faults }: FuzzReport, run: Run): void {
  const rows = Object.entries(routes).map(([route, { cases, byStatus, slowestMs }]) => {
    const counts = CLASSES.map((each) => {
      const inClass = Object.entries(byStatus).filter(([status]) => Math.floor(Number(status) / 100) === each)
      return [`${each}xx`, inClass.reduce((sum, [, count]) => sum + count, 0)]
    })
    return [route, { cases, ...Object.fromEntries(counts), 'slowest ms': Math.round(slowestMs) }]
  })
  console.table(Object.fromEntries(rows))
  printEnd(faults.length, run)
}

/** What became of damaged files. */
function printFiles({ ends, slowestMs, largestBytes, faults }: FileReport, run: Run): void {
  for (const fault of faults) console.log(`  ${fault}`)
  const largest = largestBytes === undefined ? {} : { 'largest piece, kB': largestBytes >> 10 }
  console.table({ ...ends, 'slowest, ms': Math.round(slowestMs), ...largest })
  printEnd(faults.length, run)
}

function printEnd(faults: number, { seed, cases, tookS }: Run): void {
  const end = faults === 0 ? 'nothing found' : `${faults} FAULTS`
  console.log(`fuzz: ${cases} cases in ${tookS.toFixed(0)} s, ${end} (seed ${seed})`)
}

// `npm run fuzz`: sends bad input to every route of the whole system; with `--media` or `--captions` damages files.

const ROUTE_CASES = 10_000
const FILE_CASES = 20_000
const LARGEST_SEED = 1_000_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
    cases: { type: 'string' },
    json: { type: 'boolean', default: false },
    media: { type: 'boolean', default: false },
    captions: { type: 'boolean', default: false },
  },
})

const isOfFiles = values.media || values.captions
const seed = readCount('seed', values.seed)
const cases = values.cases === undefined ? (isOfFiles ? FILE_CASES : ROUTE_CASES) : readCount('cases', values.cases)
console.error(`fuzz: ${cases} cases, seed ${seed}`)
const startedMs = performance.now()
const run = { seed, cases }
const report = values.media
  ? await fuzzMedia([...(await makeSeeds()), ...makeChunkSeeds()], run)
  : values.captions
    ? fuzzCaptions(run)
    : await fuzzRoutes()
const tookS = (performance.now() - startedMs) / 1_000
if (values.json) console.log(JSON.stringify({ ...run, tookS, ...report }, null, 2))
else if ('routes' in report) printFuzz(report, { ...run, tookS })
else printFiles(report, { ...run, tookS })
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
