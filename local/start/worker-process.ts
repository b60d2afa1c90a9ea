import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { unstable_startWorker } from 'wrangler'
import { openLogFile, withErrorsShown } from './log-file.ts'
import { type Processes } from './processes.ts'
import { type StartConfig, StartError } from './start-config.ts'

export interface WorkerStart {
  config: StartConfig
  processes: Processes
  port: number
  siteDir: string
  varsPath: string
}

export interface RunningWorker {
  /** Settles when the worker has ended, with a sentence for the user. */
  ended: Promise<StartError>
}

// A cold start takes about 3 s on two cores; a machine under full load many times that.
const READY_WITHIN_MS = 90_000

export async function applyMigrations({ config, processes }: Pick<WorkerStart, 'config' | 'processes'>): Promise<void> {
  const log = openLogFile(join(config.stateDir, 'migrations.log'))
  const data = join(config.stateDir, 'data')
  const wrangler = join(config.repoDir, 'node_modules/wrangler/wrangler-dist/cli.js')
  const args = [wrangler, 'd1', 'migrations', 'apply', 'adapt', '--local', '--persist-to', data]
  const { ended } = processes.start(nodeProgram(config, args, log.write))
  const code = await ended
  log.close()
  const isOlder = code === 0 ? !hasSchema(config, data) : isOfOlderVersion(await readFile(log.path, 'utf8'))
  if (isOlder) {
    const advice = 'move the folder away, or set ADAPT_STATE_DIR to a new one'
    throw new StartError(`The data in ${config.stateDir} belongs to an older version of Adapt: ${advice}.`)
  }
  if (code !== 0) throw new StartError(`The database could not be brought up to date: ${log.path} says why.`)
}

const D1_FILES = 'v3/d1/miniflare-D1DatabaseObject'

/**
 * Whether all tables are as the migrations make them now: one that was changed in place is not applied again. The stand-in
 * for Clerk has tables of its own beside them.
 */
function hasSchema({ repoDir }: StartConfig, dataDir: string): boolean {
  const migrationsDir = join(repoDir, 'migrations')
  const files = globSync('*.sql', { cwd: migrationsDir }).toSorted()
  const wanted = readSchema(':memory:', files.map((file) => readFileSync(join(migrationsDir, file), 'utf8')).join('\n'))
  const stored = globSync('*.sqlite', { cwd: join(dataDir, D1_FILES) }).filter((file) => file !== 'metadata.sqlite')
  return stored.some((file) => {
    const found = new Set(readSchema(join(dataDir, D1_FILES, file)))
    return wanted.every((sql) => found.has(sql))
  })
}

function readSchema(path: string, migrations = ''): unknown[] {
  const database = new DatabaseSync(path)
  try {
    database.exec(migrations)
    const rows = database.prepare('SELECT sql FROM sqlite_schema').all()
    return rows.map(({ sql }) => sql)
  } finally {
    database.close()
  }
}

/** The first migration creates all tables: it fails with this where tables of an older version are. */
function isOfOlderVersion(migrationsLog: string): boolean {
  return /table [`'"]?\w+[`'"]? already exists/.test(migrationsLog)
}

/** Starts the worker and waits until it answers. @throws {StartError} when it does not */
export async function startWorker(start: WorkerStart): Promise<RunningWorker> {
  const { config, processes, port, siteDir, varsPath } = start
  const log = openLogFile(join(config.stateDir, 'worker.log'))
  const script = join(config.repoDir, 'local/start/serve-worker.ts')
  // Only `npm run dev` watches files: a reload ends the local queues, which live in memory, and every job that waits.
  const isDev = config.mode === 'dev'
  const options: Parameters<typeof unstable_startWorker>[0] = {
    config: 'wrangler.toml',
    entrypoint: 'local/worker.ts',
    envFiles: [varsPath],
    assets: siteDir,
    // Only the stand-in reads it, so that it is no variable of the product.
    bindings: { CLERK_MEMBERSHIP: { type: 'plain_text', value: config.env.ADAPT_CLERK_MEMBERSHIP ?? 'optional' } },
    dev: {
      remote: false,
      watch: isDev,
      persist: join(config.stateDir, 'data'),
      server: { hostname: 'localhost', port },
      ...(isDev ? {} : { inspector: false }),
    },
  }
  const program = nodeProgram(config, [script, JSON.stringify(options)], withErrorsShown(log, console.error))
  const process = processes.start(program)
  const ended = process.ended.then((code) => {
    const how = code === null ? 'it was killed' : `exit code ${code}`
    return new StartError(`The worker has stopped by itself (${how}): ${log.path} says why.`)
  })
  const late = new StartError(`The worker does not answer: ${log.path} says why.`)
  const timeout = sleep(READY_WITHIN_MS, late, { ref: false })
  const fault = await Promise.race([once(process.child, 'message').then(() => null), ended, timeout])
  if (fault !== null) throw fault
  return { ended }
}

function nodeProgram({ repoDir, stateDir, env }: StartConfig, args: string[], onLine: (line: string) => void) {
  const wranglerEnv = {
    ...env,
    // Nothing leaves this machine, and nothing is written outside of the state folder.
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_REGISTRY_PATH: join(stateDir, 'registry'),
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  }
  return { args, cwd: repoDir, env: wranglerEnv, onLine }
}

export interface CronTicksOptions {
  address: string
  /** From the end of one tick to the beginning of the next. */
  everyMs: number
  /** Ends the ticks, also one that is under way. */
  signal: AbortSignal
  onFailure: (reason: string) => void
}

/** wrangler keeps the schedule's door here; the worker does the same work whatever cron it gets. */
const SCHEDULED_PATH = '/cdn-cgi/local/scheduled?cron=*+*+*+*+*'

// Scheduled work takes seconds; a worker that hangs must not keep the next tick from trying.
const LONGEST_TICK_MS = 120_000

/** Crons do not fire by themselves on this machine, so this does it: at once, then regularly, never two at a time. */
export async function runCronTicks({ address, everyMs, signal, onFailure }: CronTicksOptions): Promise<void> {
  while (!signal.aborted) {
    const failure = await tick(address, signal)
    if (signal.aborted) return
    if (failure !== null) onFailure(failure)
    // Rejects only when it is aborted, which the loop's condition sees.
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}

async function tick(address: string, signal: AbortSignal): Promise<string | null> {
  const limit = AbortSignal.timeout(LONGEST_TICK_MS)
  try {
    const response = await fetch(address + SCHEDULED_PATH, { signal: AbortSignal.any([signal, limit]) })
    const outcome = await response.text()
    return response.ok ? null : `${response.status} ${outcome}`
  } catch (error) {
    return limit.aborted ? 'the worker does not answer; stop Adapt and start it again' : String(error)
  }
}
