import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unstable_startWorker } from 'wrangler'

/** Finds a port of this machine that no program listens on. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/** A JSON call to one of the bench's workers. */
export async function askWorker<T>(address: string, { post }: { post?: unknown } = {}): Promise<T> {
  const answer = await fetch(address, post === undefined ? {} : { method: 'POST', body: JSON.stringify(post) })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const READY_WITHIN_MS = 60_000

export interface ServedWorker {
  url: string
  /** For a debugger; null when none was asked for. */
  inspectorUrl: string | null
  stop(): Promise<void>
}

interface Serving {
  /** Configuration file of wrangler. */
  config: string
  entrypoint: string
  /** Where D1, R2 and the rest live; several workers may use it one after the other. */
  stateFolder: string
  /** A folder for the static assets of the configuration; the bench has none. */
  assets?: string
  envFile?: string
  /** Lets a debugger look into the worker, which costs it some speed; off by default. */
  isInspected?: boolean
}

/** What `wrangler dev` does, without watching files: a reload would end the local queues and with them the run. */
export async function serveWorker({ stateFolder, envFile, isInspected, ...serving }: Serving): Promise<ServedWorker> {
  const port = await findFreePort()
  // Nothing that is measured depends on where this machine is.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false'
  const worker = await unstable_startWorker({
    ...serving,
    envFiles: envFile === undefined ? [] : [envFile],
    dev: {
      remote: false,
      watch: false,
      persist: join(stateFolder, 'data'),
      server: { hostname: 'localhost', port },
      inspector: isInspected ? { hostname: 'localhost', port: await findFreePort() } : false,
      logLevel: 'error',
    },
  })
  const late = sleep(READY_WITHIN_MS, 'late', { ref: false })
  if ((await Promise.race([worker.ready, late])) === 'late') {
    await worker.dispose()
    throw new Error(`${serving.entrypoint} was not ready within ${READY_WITHIN_MS / 1000} s`)
  }
  const inspectorUrl = isInspected ? String(await worker.inspectorUrl) : null
  return { url: `http://localhost:${port}`, inspectorUrl, stop: () => worker.dispose() }
}

const REPO = join(import.meta.dirname, '..')

/** All that the product's configuration names. Its presigned addresses lead to the bucket of this machine. */
const VARS = {
  APP_ORIGINS: 'http://localhost:8787',
  R2_ACCESS_KEY_ID: 'local',
  R2_SECRET_ACCESS_KEY: 'local-only',
  TICKET_SECRET: 'bench-only',
  SPEECH_API_KEY: 'none',
  LANGUAGE_API_KEY: 'none',
}

interface ServingProduct {
  /** A worker around the product's own. */
  entrypoint: string
  stateFolder: string
  /** The built page; nothing by default. */
  assets?: string
  /** Instead of the usual ones. */
  vars?: Record<string, string>
  /** See `serveWorker`. */
  isInspected?: boolean
}

/** The product by its own configuration, on an empty database that has all of its tables. */
export async function serveProduct({
  entrypoint,
  stateFolder,
  assets,
  vars,
  ...serving
}: ServingProduct): Promise<ServedWorker> {
  const envFile = join(stateFolder, 'vars.env')
  const lines = Object.entries({ ...VARS, ...vars }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(envFile, lines.join(''))
  const wrangler = join(REPO, 'node_modules/wrangler/wrangler-dist/cli.js')
  const migrate = `d1 migrations apply adapt --local --persist-to ${join(stateFolder, 'data')}`.split(' ')
  await promisify(execFile)(process.execPath, [wrangler, ...migrate], { cwd: REPO })
  const config = join(REPO, 'wrangler.toml')
  const served = assets ?? (await makeEmpty(stateFolder))
  return serveWorker({ ...serving, config, entrypoint, stateFolder, assets: served, envFile })
}

async function makeEmpty(stateFolder: string): Promise<string> {
  const folder = join(stateFolder, 'no-page')
  await mkdir(folder, { recursive: true })
  return folder
}

const SYSTEM_READY_WITHIN_MS = 300_000

export interface ServedSystem {
  url: string
  stop(): Promise<void>
}

/** Everything that `npm start` runs, with the built page, on a fresh state. */
export async function serveSystem(stateDir: string): Promise<ServedSystem> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../local/start/main.mjs')], {
    env: { ...process.env, PORT: String(port), ADAPT_STATE_DIR: stateDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilReady(child)
  return { url: `http://localhost:${port}`, stop: () => stop(child) }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGTERM')
      reject(new Error(`the system was not ready within ${SYSTEM_READY_WITHIN_MS / 1000} s`))
    }, SYSTEM_READY_WITHIN_MS)
    child.stdout?.on('data', (text: Buffer) => {
      if (!text.toString().includes('is ready at')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the system ended with ${code}`))
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
