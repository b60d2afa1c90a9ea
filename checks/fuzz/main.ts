// `npm run fuzz`: sends bad input to every route of the whole system; with `--media` or `--captions` damages files.
import { parseArgs } from 'node:util'
import { fuzzMedia } from '#media/testing/fuzz/fuzz-media.ts'
import { makeSeeds } from '#media/testing/fuzz/media-seeds.ts'
import { compareOddFiles } from '#media/testing/odd/compare-odd-files.ts'
import { makeChunkSeeds } from '#worker/domain/media/testing/chunk-seeds.ts'
import { fuzzCaptions } from '#worker/domain/transcript/testing/fuzz-captions.ts'
import { type Fault, type RouteTally, runFuzz } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import { openTarget } from './target.ts'

const LARGEST_SEED = 1_000_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
    cases: { type: 'string' },
    files: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
    media: { type: 'boolean', default: false },
    captions: { type: 'boolean', default: false },
  },
})
const run = {
  seed: readCount('seed', values.seed),
  cases: readCount('cases', values.cases ?? (values.media || values.captions ? '20000' : '10000')),
}
console.error(`fuzz: ${run.cases} cases, seed ${run.seed}`)
const startedMs = performance.now()
const report = values.media ? await fuzzFiles() : values.captions ? fuzzCaptions(run) : await fuzzRoutes()
const tookS = (performance.now() - startedMs) / 1_000
if (values.json) console.log(JSON.stringify({ ...run, tookS, ...report }, null, 2))
else {
  if ('routes' in report) console.table(tabulate(report.routes))
  else {
    const { faults, ends, slowestMs, ...largest } = report
    for (const fault of faults) console.log(`  ${fault}`)
    console.table({ ...ends, 'slowest, ms': Math.round(slowestMs), ...largest })
  }
  const end = report.faults.length === 0 ? 'nothing found' : `${report.faults.length} FAULTS`
  console.log(`fuzz: ${run.cases} cases in ${tookS.toFixed(0)} s, ${end} (seed ${run.seed})`)
}
process.exit(report.faults.length === 0 ? 0 : 1)

/** Damages files, and then compares how odd ones are cut. */
async function fuzzFiles() {
  const damaged = await fuzzMedia([...(await makeSeeds()), ...makeChunkSeeds()], run)
  const { right, refused, wrong } = await compareOddFiles({
    seed: run.seed,
    files: readCount('files', values.files),
    keepIn: 'test-results/odd-media',
  })
  const ends = {
    ...damaged.ends,
    'odd, right': right.length,
    'odd, refused': refused.length,
    'odd, wrong': wrong.length,
  }
  return { ...damaged, ends, faults: [...damaged.faults, ...wrong] }
}

async function fuzzRoutes() {
  const target = await openTarget()
  try {
    return await runFuzz(target, { ...run, onFault: printFault })
  } finally {
    await target.close()
  }
}

function printFault({ what, number, call }: Fault): void {
  console.error(`  ${number ?? 'afterwards'}: ${what}\n    ${call}`)
}

/** A row for each route: how many cases, how many answers of each class, and how long the slowest took. */
function tabulate(routes: Record<string, RouteTally>) {
  const rows = Object.entries(routes).map(([route, { cases, byStatus, slowestMs }]) => {
    const counts: Record<string, number> = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
    for (const [status, count] of Object.entries(byStatus)) {
      const kind = `${status.charAt(0)}xx`
      counts[kind] = (counts[kind] ?? 0) + count
    }
    return [route, { cases, ...counts, 'slowest ms': Math.round(slowestMs) }]
  })
  return Object.fromEntries(rows)
}

function readCount(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number, not "${text}"`)
}
