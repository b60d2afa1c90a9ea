import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSpeechTools } from './install.ts'
import { ensurePortIsFree, ensureStateDir, findFreePort, takeRunLock } from './preflight.ts'
import { openLogFile, openProcesses, type Processes } from './processes.ts'
import { buildSite, prepareDevSite, startDevPage } from './site.ts'
import { addressOf, readStartConfig, type StartConfig, StartError } from './start-config.ts'
import { applyMigrations, runCronTicks, startWorker } from './worker-process.ts'
import { makeWorkerVars, writeVarsFile } from './worker-vars.ts'

const ANY_FREE_PORT = 0

/**
 * Sees to it that speech can be recognised: by the server that the environment names, else by one of our own on this
 * machine. @returns its address, or nothing where there is no recogniser
 */
async function startSpeech({ repoDir, stateDir, env }: StartConfig, processes: Processes): Promise<string> {
  if (env.SPEECH_BASE_URL) return env.SPEECH_BASE_URL
  if (!(await ensureSpeechTools())) return ''
  const workDir = join(stateDir, 'speech')
  // Recordings that a killed run left behind.
  rmSync(workDir, { recursive: true, force: true })
  mkdirSync(workDir)
  const log = openLogFile(join(stateDir, 'speech.log'))

  async function serve(wantedPort: number): Promise<number> {
    const args = [join(repoDir, 'local/speech/main.ts'), String(wantedPort), workDir]
    const { child, ended } = processes.start({ args, cwd: repoDir, env, onLine: log.write })
    const listening = new Promise<number>((resolve) =>
      child.once('message', (message: { port: number }) => resolve(message.port)),
    )
    const port = await Promise.race([listening, ended.then(() => null)])
    if (port === null) throw new StartError(`The speech server did not start: ${log.path} says why.`)
    void ended.then(() => serveAgain(port))
    return port
  }

  async function serveAgain(port: number): Promise<void> {
    if (processes.isStopping) return
    console.error('The speech server has stopped by itself; starting it again.')
    // The worker keeps the address that it was given, so the port stays.
    await serve(port).catch((error: unknown) => console.error(String(error)))
  }

  return `http://127.0.0.1:${await serve(ANY_FREE_PORT)}/v1`
}

// `npm start` and `npm run dev`: prepares and runs every part of Adapt on this machine, and ends what it started.

// Production's smallest schedule.
const CRON_EVERY_MS = 60_000

interface Run {
  config: StartConfig
  processes: Processes
  stopping: AbortSignal
}

async function main(stopping: AbortSignal): Promise<void> {
  const config = readStartConfig(process.argv.slice(2), process.env)
  const { stateDir, repoDir, port } = config
  ensureStateDir(stateDir)
  const lock = await takeRunLock({ stateDir, address: addressOf(port), ownDirs: [repoDir, stateDir] })
  const processes = openProcesses(lock.addGroup)
  try {
    await ensurePortIsFree(port)
    await Promise.race([run({ config, processes, stopping }), whenAborted(stopping)])
  } finally {
    await processes.stopAll()
    lock.release()
  }
}

/** Settles only by failing: with why the run cannot begin or go on. */
async function run({ config, processes, stopping }: Run): Promise<void> {
  const { mode, stateDir, port: pagePort, env } = config
  const workerPort = mode === 'dev' ? await findFreePort(pagePort + 1) : pagePort
  const [siteDir, speechBaseUrl] = await Promise.all([
    mode === 'dev' ? prepareDevSite(stateDir) : buildSite(config, processes),
    startSpeech(config, processes),
    applyMigrations({ config, processes }),
  ])
  stopping.throwIfAborted()
  const varsPath = writeVarsFile(stateDir, makeWorkerVars({ stateDir, pagePort, workerPort, speechBaseUrl, env }))
  const worker = await startWorker({ config, processes, port: workerPort, siteDir, varsPath })
  if (mode === 'dev') await startDevPage(config, workerPort)
  console.log(`Adapt is ready at ${addressOf(pagePort)}`)
  const onFailure = (reason: string) => console.error(`Scheduled work failed: ${reason}`)
  void runCronTicks({ address: addressOf(workerPort), everyMs: CRON_EVERY_MS, signal: stopping, onFailure })
  throw await worker.ended
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
// A reader that is gone (`npm start | head`) ends the run as Ctrl-C does.
for (const output of [process.stdout, process.stderr]) output.on('error', () => stopping.abort())

try {
  await main(stopping.signal)
  process.exit(0)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
