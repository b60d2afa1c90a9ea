import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LogFile, openLogFile } from './log-file.ts'
import type { Processes, RunningProcess } from './processes.ts'
import { addressOf, type Environment, type StartConfig } from './start-config.ts'
import { StartError } from './start-error.ts'
import { withErrorsShown } from './worker-log.ts'

export interface WorkerStart {
  config: StartConfig
  processes: Processes
  port: number
  /** Folder with the built web app. */
  siteDir: string
  varsPath: string
}

/** The worker with its data, ready to answer. */
export interface RunningWorker {
  /** Settles when the worker has ended, with the sentence that tells the user. */
  ended: Promise<StartError>
}

// A cold start takes about 3 s on two cores; a machine under full load many times that.
const READY_WITHIN_MS = 90_000
const POLL_MS = 200
const ANSWER_WITHIN_MS = 10_000

/** Brings the database up to date. @throws {StartError} */
export async function applyMigrations({ config, processes }: Pick<WorkerStart, 'config' | 'processes'>): Promise<void> {
  const log = openLogFile(join(config.stateDir, 'migrations.log'))
  const data = join(config.stateDir, 'data')
  const args = ['d1', 'migrations', 'apply', 'adapt', '--local', '--persist-to', data]
  const { ended } = processes.start(wranglerProgram(config, args, log.write))
  const code = await ended
  log.close()
  if (code !== 0) throw new StartError(`The database could not be brought up to date: ${log.path} says why.`)
}

/** Starts the worker and waits until it answers. @throws {StartError} when it does not */
export async function startWorker(start: WorkerStart): Promise<RunningWorker> {
  const { config, processes, port } = start
  const log = openLogFile(join(config.stateDir, 'worker.log'))
  const process = processes.start(serveProgram(start, withErrorsShown(log, console.error)))
  const ended = process.ended.then(
    (code) => new StartError(`The worker has stopped by itself (${tellEnd(code)}): ${log.path} says why.`),
  )
  await waitUntilReady({ port, process, ended, log })
  return { ended }
}

function tellEnd(code: number | null): string {
  return code === null ? 'it was killed' : `exit code ${code}`
}

/** `npm run dev` reloads the worker on a change; `npm start` never does, because the local queues would be lost. */
function serveProgram(start: WorkerStart, onLine: (line: string) => void) {
  const { config, port, siteDir, varsPath } = start
  const data = join(config.stateDir, 'data')
  if (config.mode === 'start') {
    const script = join(config.repoDir, 'local/start/serve-worker.ts')
    return nodeProgram(config, [script, String(port), data, siteDir, varsPath], onLine)
  }
  const where = ['--persist-to', data, '--assets', siteDir, '--env-file', varsPath]
  const args = ['dev', 'local/worker.ts', '--local', '--port', String(port), ...where]
  return wranglerProgram(config, [...args, '--show-interactive-dev-session', 'false'], onLine)
}

function wranglerProgram(config: StartConfig, args: string[], onLine: (line: string) => void) {
  return nodeProgram(config, [join(config.repoDir, 'node_modules/wrangler/wrangler-dist/cli.js'), ...args], onLine)
}

function nodeProgram({ repoDir, stateDir, env }: StartConfig, args: string[], onLine: (line: string) => void) {
  return { args, cwd: repoDir, env: wranglerEnvironment(env, stateDir), onLine }
}

function wranglerEnvironment(env: Environment, stateDir: string): Environment {
  return {
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
}

interface Readiness {
  port: number
  process: RunningProcess
  ended: Promise<StartError>
  log: LogFile
}

async function waitUntilReady({ port, process, ended, log }: Readiness): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS
  while (!(await answers(port))) {
    if (process.child.exitCode !== null || process.child.signalCode !== null) throw await ended
    if (Date.now() > giveUpAt) throw new StartError(`The worker does not answer: ${log.path} says why.`)
    await sleep(POLL_MS)
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`${addressOf(port)}/api/health`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    await response.body?.cancel()
    // 503 is the health check's own word for a part that is not well; the worker is up.
    return response.status < 500 || response.status === 503
  } catch {
    // Nobody listens yet.
    return false
  }
}
