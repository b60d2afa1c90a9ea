// `npm run bench:NAME`: measures one scenario, prints a table or with `--json` an object, and ends with 1 where a gate is missed.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { type Bench, printRows, type Scenario } from './scenario.ts'
import { askWorker, type ServedWorker, serveProduct } from './serve.ts'

const SCENARIOS = {
  abuse: async () => (await import('./abuse/scenario.ts')).abuse,
  answers: async () => (await import('./answers/scenario.ts')).answers,
  demux: async () => (await import('./demux/scenario.ts')).demux,
  learning: async () => (await import('./learning/scenario.ts')).learning,
  load: async () => (await import('./load/scenario.ts')).load,
  pipeline: async () => (await import('./pipeline/scenario.ts')).pipeline,
  share: async () => (await import('./share/scenario.ts')).share,
  steps: async () => (await import('./steps/scenario.ts')).steps,
  tutor: async () => (await import('./tutor/scenario.ts')).tutor,
  upload: async () => (await import('./upload/scenario.ts')).upload,
  web: async () => (await import('./web/scenario.ts')).web,
}

async function loadScenario(name: string): Promise<Scenario<unknown>> {
  if (!Object.hasOwn(SCENARIOS, name))
    throw new Error(`There is no bench "${name}": ${Object.keys(SCENARIOS).join(', ')}`)
  return (await SCENARIOS[name as keyof typeof SCENARIOS]()) as Scenario<unknown>
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
const serve: Bench['serve'] = async ({ entrypoint, ...options } = {}) => {
  const shared = join(import.meta.dirname, 'worker.ts')
  const served = await serveProduct({ ...options, entrypoint: entrypoint ?? shared, stateFolder: folder })
  const stop = async () => {
    if (running.delete(worker)) await served.stop()
  }
  const worker = { ...served, stop }
  running.add(worker)
  // A variable that wrangler.toml does not name would not reach the worker.
  if (entrypoint === undefined) await askWorker(`${worker.url}/api/bench/scenario`, { post: { name } })
  return worker
}

const { log } = console
try {
  // The platform logs each queue message; the standard output is for the result alone.
  console.log = console.error
  const figures = await scenario.measure({ folder, values, serve }).finally(async () => {
    for (const worker of running) await worker.stop()
    console.log = log
  })
  if (figures !== null) {
    const rows = scenario.rows(figures)
    if (values['json']) console.log(JSON.stringify(scenario.toJson(figures), null, 2))
    else if (scenario.print !== undefined) scenario.print(figures)
    else printRows(rows)
    const missed = rows.filter(({ isMet }) => isMet === false)
    for (const { what, value } of missed) console.error(`NOT MET: ${what} ${value}`)
    if (missed.length > 0) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// The last handle of a stopped worker may stay open; what was printed goes out first.
process.stdout.write('', () => process.exit())
