// `npm run fuzz`: sends bad input to every route of the whole system; with `--media` or `--captions` damages files.
import { parseArgs } from 'node:util'
import { fuzzMedia } from '#media/testing/fuzz/fuzz-media.ts'
import { makeSeeds } from '#media/testing/fuzz/media-seeds.ts'
import { makePartSeeds } from '#worker/domain/media/testing/part-seeds.ts'
import { fuzzCaptions } from '#worker/domain/transcript/testing/fuzz-captions.ts'
import { type FuzzReport, runFuzz } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import { openTarget } from './open-target.ts'
import { printFiles, printFuzz } from './print-fuzz.ts'

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
  ? await fuzzMedia([...(await makeSeeds()), ...makePartSeeds()], run)
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
