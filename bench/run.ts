// `npm run bench:NAME`: measures one scenario, prints a table or with `--json` an object, and ends with 1 where a gate is missed.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { type Bench, listRows, printTable, type Scenario, watchNoise } from './scenario.ts'
import { type ServedWorker, serveProduct } from './serve.ts'

const SCENARIOS = {
  abuse: () => import('./abuse/scenario.ts'),
  answers: () => import('./answers/scenario.ts'),
  demux: () => import('./demux/scenario.ts'),
  learning: () => import('./learning/scenario.ts'),
  load: () => import('./load/scenario.ts'),
  pipeline: () => import('./pipeline/scenario.ts'),
  share: () => import('./share/scenario.ts'),
  steps: () => import('./steps/scenario.ts'),
  tutor: () => import('./tutor/scenario.ts'),
  upload: () => import('./upload/scenario.ts'),
  web: () => import('./web/scenario.ts'),
} satisfies Record<string, () => Promise<{ scenario: Scenario }>>

async function loadScenario(name: string): Promise<Scenario> {
  if (!Object.hasOwn(SCENARIOS, name))
    throw new Error(`There is no bench "${name}": ${Object.keys(SCENARIOS).join(', ')}`)
  return (await SCENARIOS[name as keyof typeof SCENARIOS]()).scenario
}

const [name = '', ...args] = process.argv.slice(2)
const scenario = await loadScenario(name)
const { values } = parseArgs({ args, options: { ...scenario.options, json: { type: 'boolean' } } })
if (scenario.tools !== undefined) await orEnd(ensureTools(scenario.tools))
if (scenario.needsBrowser) await orEnd(ensureChromium())

const folder = await mkdtemp(join(tmpdir(), `adapt-bench-${name}-`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // It may hold gigabytes; browsers and workers end with this process.
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}

const running = new Set<ServedWorker>()
const serve: Bench['serve'] = async (options) => {
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const served = await serveProduct({ ...options, entrypoint, stateFolder: folder })
  const stop = async () => {
    if (running.delete(worker)) await served.stop()
  }
  const worker = { ...served, stop }
  running.add(worker)
  // A variable that wrangler.toml does not name would not reach the worker.
  await worker.ask('/api/bench/scenario', { name })
  return worker
}

const { log } = console
try {
  // The platform logs each queue message; the standard output is for the result alone.
  console.log = console.error
  const report = await scenario.measure({ folder, values, serve, noise: watchNoise() }).finally(async () => {
    for (const worker of running) await worker.stop()
    console.log = log
  })
  if (report !== null) {
    if (values['json']) console.log(JSON.stringify(report.json, null, 2))
    else printTable(report)
    const missed = listRows(report).filter(({ verdict }) => verdict === 'missed')
    for (const { what, value } of missed) console.error(`NOT MET: ${what} ${value}`)
    if (missed.length > 0) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// The last handle of a stopped worker may stay open; what was printed goes out first.
process.stdout.write('', () => process.exit())
