import { findLanguageModel } from './find-language-model.ts'
import { sayWhetherTranslated } from './install.ts'
import { ensurePortIsFree, ensureStateDir, findFreePort } from './preflight.ts'
import { openProcesses, type Processes } from './processes.ts'
import { takeRunLock } from './run-lock.ts'
import { buildSite, prepareDevSite, startDevPage } from './site.ts'
import { startSpeech, startTranslation } from './speech-process.ts'
import { addressOf, readStartConfig, type StartConfig, StartError } from './start-config.ts'
import { applyMigrations, runCronTicks, startWorker } from './worker-process.ts'
import { makeWorkerVars, writeVarsFile } from './worker-vars.ts'

/**
 * Sees to it that speech can be recognised: by the server that the environment names, else by one of our own on this
 * machine, which prepares itself meanwhile. @returns its address
 */
async function findSpeech(config: StartConfig, processes: Processes): Promise<string> {
  return config.env.SPEECH_BASE_URL || startSpeech({ config, processes, show: console.error })
}

/** Sees to it that trainings can be translated: by the server that the environment names, its language model, or apertium, which is installed with the first translation. */
async function findTranslation(config: StartConfig, processes: Processes): Promise<string> {
  const { TRANSLATE_BASE_URL, LANGUAGE_BASE_URL } = config.env
  if (TRANSLATE_BASE_URL) return TRANSLATE_BASE_URL
  if (LANGUAGE_BASE_URL) return ''
  return sayWhetherTranslated() ? startTranslation({ config, processes, show: console.error }) : ''
}

/** The environment of a run with the language model that is used in it. */
async function chooseLanguageModel({ env, stateDir }: StartConfig): Promise<StartConfig['env']> {
  const found = await findLanguageModel({ env, stateDir, show: console.error })
  return { ...env, LANGUAGE_BASE_URL: found?.baseUrl ?? '', LANGUAGE_MODEL: found?.model ?? '' }
}

async function findServices(config: StartConfig, processes: Processes) {
  const env = chooseLanguageModel(config)
  const translation = env.then((chosen) => findTranslation({ ...config, env: chosen }, processes))
  const [speechBaseUrl, translateBaseUrl] = await Promise.all([findSpeech(config, processes), translation])
  return { speechBaseUrl, translateBaseUrl, env: await env }
}

// `npm start` and `npm run dev`: prepares and runs every part of Adapt on this machine, and ends what it started.

// Production's smallest schedule.
const CRON_EVERY_MS = 60_000

async function main(stopping: AbortController): Promise<void> {
  const config = readStartConfig(process.argv.slice(2), process.env)
  const { stateDir, repoDir, port } = config
  ensureStateDir(stateDir)
  const lock = await takeRunLock({ stateDir, address: addressOf(port), ownDirs: [repoDir, stateDir] })
  const processes = openProcesses(lock.addGroup)
  try {
    await ensurePortIsFree(port)
    await Promise.race([run(config, processes, stopping.signal), whenAborted(stopping.signal)])
  } finally {
    stopping.abort()
    await processes.stopAll()
    lock.release()
  }
}

/** Settles only by failing: with why the run cannot begin or go on. */
async function run(config: StartConfig, processes: Processes, stopping: AbortSignal): Promise<void> {
  const { mode, stateDir, port: pagePort } = config
  const workerPort = mode === 'dev' ? await findFreePort(pagePort + 1) : pagePort
  const [siteDir, services] = await Promise.all([
    mode === 'dev' ? prepareDevSite(stateDir) : buildSite(config, processes),
    findServices(config, processes),
    applyMigrations({ config, processes }),
  ])
  stopping.throwIfAborted()
  const varsPath = writeVarsFile(stateDir, makeWorkerVars({ stateDir, pagePort, workerPort, ...services }))
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
  await main(stopping)
  process.exit(0)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
