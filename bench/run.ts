// `npm run bench:NAME`: measures one scenario, prints a table or with `--json` an object, and ends with 1 where a gate is missed.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium, ensureTools, orEnd } from '#local/start/tools.ts'
import { type Bench, noiseRow, printTable, type Scenario, watchNoise } from './scenario.ts'
import { type ServedWorker, serveProduct } from './serve.ts'

const [name = '', ...args] = process.argv.slice(2)
const file = join(import.meta.dirname, name, 'scenario.ts')
if (!existsSync(file)) throw new Error(`There is no bench "${name}": package.json lists them as \`bench:…\``)
const { scenario } = (await import(file)) as { scenario: Scenario }
const { values } = parseArgs({ args, options: { ...scenario.options, json: { type: 'boolean' } } })
if (scenario.tools !== undefined) await orEnd(ensureTools(scenario.tools))
if (scenario.needsBrowser) await orEnd(ensureChromium())

const folder = mkdtempSync(join(tmpdir(), `adapt-bench-${name}-`))
// It may hold gigabytes; browsers and workers end with this process.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const running: ServedWorker[] = []
const serve: Bench['serve'] = async (options) => {
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const { state = '', ...others } = options ?? {}
  const stateFolder = join(folder, state)
  mkdirSync(stateFolder, { recursive: true })
  const worker = await serveProduct({ ...others, entrypoint, stateFolder })
  running.push(worker)
  // A variable that wrangler.toml does not name would not reach the worker.
  await worker.ask('/api/bench/scenario', { name })
  return worker
}

const { log } = console
// The platform logs each queue message; the standard output is for the result alone.
console.log = console.error
const noise = watchNoise()
const report = await scenario.measure({ folder, values, serve }).finally(async () => {
  for (const worker of running) await worker.stop()
  console.log = log
})
if (report !== null) {
  const judged = report.table.filter((line) => typeof line !== 'string').filter(({ verdict }) => verdict !== undefined)
  if (values['json']) console.log(JSON.stringify({ ...report.json, judged, machine: noise() }, null, 2))
  else printTable([...report.table, noiseRow(noise())])
  const missed = judged.filter(({ verdict }) => verdict === 'missed')
  for (const { what, value } of missed) console.error(`NOT MET: ${what} ${value}`)
  if (missed.length > 0) process.exitCode = 1
}
// The last handle of a stopped worker may stay open; what was printed goes out first.
process.stdout.write('', () => process.exit())
