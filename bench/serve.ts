import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unstable_startWorker } from 'wrangler'
import { findFreePort } from '#local/start/preflight.ts'
import { writeVarsFile } from '#local/start/worker-vars.ts'
import type { PlantRequest, SqlRequest } from './wire.ts'

const READY_WITHIN_MS = 60_000
/** Away from the ports of developers. */
const FIRST_PORT = 19_000

export interface ServedWorker {
  url: string
  /** A JSON call to one of its own routes: a POST where there is something to send. @throws when it is no success */
  ask<Answer>(path: string, post?: unknown): Promise<Answer>
  sql<Row>(sql: string, ...values: (string | number)[]): Promise<Row[]>
  /** The same in the database of the search index. */
  searchSql<Row>(sql: string, ...values: (string | number)[]): Promise<Row[]>
  seed(module: PlantRequest['module'], sentences?: number): Promise<void>
  /** For a debugger; null when none was asked for. */
  inspectorUrl: string | null
  /** Changes nothing where it is stopped already. */
  stop(): Promise<void>
}

interface Serving {
  config: string
  entrypoint: string
  /** Where D1, R2 and the rest live; several workers may use it one after the other. */
  stateFolder: string
  /** A folder for the static assets of the configuration. */
  assets?: string
  envFile?: string
  /** Lets a debugger look into the worker, which costs it some speed; off by default. */
  isInspected?: boolean
  /** A free one by default. */
  port?: number
}

/** What `wrangler dev` does, without watching files: a reload would end the local queues and with them the run. */
export async function serveWorker(serving: Serving): Promise<ServedWorker> {
  const { config, entrypoint, assets, stateFolder, envFile, isInspected } = serving
  const port = serving.port ?? (await findFreePort(FIRST_PORT))
  // Nothing that is measured depends on where this machine is.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false'
  const worker = await unstable_startWorker({
    config,
    entrypoint,
    ...(assets === undefined ? {} : { assets }),
    envFiles: envFile === undefined ? [] : [envFile],
    dev: {
      remote: false,
      watch: false,
      persist: join(stateFolder, 'data'),
      server: { hostname: 'localhost', port },
      inspector: isInspected ? { hostname: 'localhost', port: await findFreePort(port + 1) } : false,
      logLevel: 'error',
    },
  })
  const late = sleep(READY_WITHIN_MS, 'late', { ref: false })
  if ((await Promise.race([worker.ready, late])) === 'late') {
    await worker.dispose()
    throw new Error(`${entrypoint} was not ready within ${READY_WITHIN_MS / 1000} s`)
  }
  const inspectorUrl = isInspected ? String(await worker.inspectorUrl) : null
  const url = `http://localhost:${port}`
  const ask = async <Answer>(path: string, post?: unknown) => {
    const answer = await fetch(url + path, post === undefined ? {} : { method: 'POST', body: JSON.stringify(post) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  let stopped: Promise<void> | undefined
  return {
    url,
    ask,
    sql: (sql, ...values) => ask('/api/bench/sql', { sql, values } satisfies SqlRequest),
    searchSql: (sql, ...values) => ask('/api/bench/sql', { sql, values, binding: 'SEARCH' } satisfies SqlRequest),
    seed: (module, sentences) => ask('/api/bench/modules', { module, sentences } satisfies PlantRequest),
    inspectorUrl,
    stop: () => (stopped ??= worker.dispose()),
  }
}

const REPO = join(import.meta.dirname, '..')

/** All that the product's configuration names. */
const VARS = {
  APP_ORIGINS: 'http://localhost:8787',
  R2_ACCESS_KEY_ID: 'local',
  R2_SECRET_ACCESS_KEY: 'local-only',
  TICKET_SECRET: 'bench-only',
  SPEECH_API_KEY: 'none',
  LANGUAGE_API_KEY: 'none',
}

/** Where presigned addresses lead: the bucket of this machine. */
export const bucketAt = (origin: string) => ({ R2_S3_ENDPOINT: `${origin}/cdn-cgi/local/r2/s3/adapt-media` })

/** Of the site the worker itself reads only the share page's frame, which needs no build. */
const FRAME = join(REPO, 'web')

interface ServingProduct extends Pick<Serving, 'entrypoint' | 'stateFolder' | 'assets' | 'isInspected'> {
  /** Instead of the usual ones. */
  vars?: Record<string, string>
}

/** The product by its own configuration, on an empty database that has all of its tables. */
export async function serveProduct({ assets = FRAME, vars, ...serving }: ServingProduct): Promise<ServedWorker> {
  const port = await findFreePort(FIRST_PORT)
  const envFile = writeVarsFile(serving.stateFolder, { ...VARS, ...bucketAt(`http://localhost:${port}`), ...vars })
  const wrangler = join(REPO, 'node_modules/wrangler/wrangler-dist/cli.js')
  const migrate = `d1 migrations apply adapt --local --persist-to ${join(serving.stateFolder, 'data')}`.split(' ')
  await promisify(execFile)(process.execPath, [wrangler, ...migrate], { cwd: REPO })
  return serveWorker({ ...serving, port, config: join(REPO, 'wrangler.toml'), assets, envFile })
}
