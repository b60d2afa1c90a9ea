// `npm run chaos`: kills the worker in the middle of its work, again and again, and checks that nothing is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureTools, orEnd } from '#local/start/tools.ts'
import { runChaos } from './run-chaos.ts'

const DEFAULT_ROUNDS = '25'
const LARGEST_SEED = 1_000_000
const PARENT_CHECK_MS = 500

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: DEFAULT_ROUNDS },
    // To see one bad round of a long run again.
    first: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(
    `npm run chaos -- [--rounds ${DEFAULT_ROUNDS}] [--first 1] [--seed NUMBER]: a seed repeats the same rounds.`,
  )
  process.exit()
}

await orEnd(ensureTools(['ffmpeg']))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new Error(`stopped by ${signal}`)))
}
if (process.env['npm_lifecycle_event'] !== undefined) endWithNpm()

const stateDir = mkdtempSync(join(tmpdir(), 'adapt-chaos-'))
let isKept = false
try {
  const { rounds, first, seed } = values
  isKept = !(await runChaos({
    stateDir,
    seed,
    rounds: readCount('rounds', rounds),
    firstRound: readCount('first', first),
    stopping: stopping.signal,
  }))
} catch (error) {
  isKept = !stopping.signal.aborted
  console.error(stopping.signal.aborted ? String(stopping.signal.reason) : error)
  process.exitCode = 1
}
if (isKept) {
  console.error(`The logs and the state are in ${stateDir}.`)
  process.exitCode = 1
} else {
  rmSync(stateDir, { recursive: true })
}
process.exit()

function readCount(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number above 0, not "${text}"`)
}

// npm passes a SIGTERM on to a shell, which dies of it and leaves this process alone.
function endWithNpm(): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stopping.abort(new Error('npm is gone')), PARENT_CHECK_MS).unref()
}
