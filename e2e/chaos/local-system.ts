import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#local/start/preflight.ts'
import { isGroupAlive, openProcesses, type Processes, signalGroup } from '#local/start/processes.ts'
import { addressOf, type StartConfig } from '#local/start/start-config.ts'
import { applyMigrations, runCronTicks, startWorker, type WorkerStart } from '#local/start/worker-process.ts'
import { makeWorkerVars, writeVarsFile } from '#local/start/worker-vars.ts'

/** The worker as `npm start` runs it, which can be killed and started again on the same state. */
export interface LocalSystem {
  address: string
  /** Rejects when the worker ends without having been killed, or does not start. */
  broken: Promise<never>
  /** Settles when the worker answers, or when it was killed before it did. */
  start(): Promise<void>
  /** Ends the worker's whole process group with SIGKILL, so that none of its processes can clean up. */
  kill(): Promise<void>
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

/** One worker from its start to its end. */
interface Life {
  group: number
  ticking: AbortController
  wasEnded: boolean
}

/** As `npm start` ticks. */
const CRON_EVERY_MS = 60_000
const GONE_POLL_MS = 5
// Below the ports that the system hands out by itself, and away from those of developers.
const FIRST_PORT = 18_800

/** Prepares the database; the worker is not started yet. */
export async function openLocalSystem(options: { stateDir: string; speechBaseUrl: string }): Promise<LocalSystem> {
  const { stateDir, speechBaseUrl } = options
  const port = await findFreePort(FIRST_PORT)
  const repoDir = join(import.meta.dirname, '../..')
  const config: StartConfig = { mode: 'start', repoDir, stateDir, port, env: process.env }
  const groups: number[] = []
  const processes = openProcesses((group) => groups.push(group))
  // Without the caller's own environment: a language model of theirs would write other steps every time.
  const vars = makeWorkerVars({
    stateDir,
    pagePort: port,
    workerPort: port,
    speechBaseUrl,
    translateBaseUrl: '',
    env: {},
  })
  // The worker needs a folder of static files; no chaos round opens a page.
  const siteDir = join(stateDir, 'site')
  mkdirSync(siteDir, { recursive: true })
  try {
    await applyMigrations({ config, processes })
  } catch (error) {
    await processes.stopAll()
    throw error
  }
  const start: WorkerStart = { config, processes, port, siteDir, varsPath: writeVarsFile(stateDir, vars) }
  return runSystem({ start, processes, lastGroup: () => groups.at(-1) ?? 0 })
}

interface SystemParts {
  start: WorkerStart
  processes: Processes
  lastGroup: () => number
}

function runSystem({ start, processes, lastGroup }: SystemParts): LocalSystem {
  const { promise: broken, reject: formatBroken } = Promise.withResolvers<never>()
  // Without a handler, a rejection between two awaits would end this process.
  broken.catch(() => {})
  const address = addressOf(start.port)
  let life: Life | null = null
  let lives = 0

  async function begin(): Promise<void> {
    const starting = startWorker(start)
    const mine: Life = { group: lastGroup(), ticking: new AbortController(), wasEnded: false }
    life = mine
    try {
      const { ended } = await starting
      void ended.then((error) => mine.wasEnded || formatBroken(error))
    } catch (error) {
      if (!mine.wasEnded) formatBroken(error)
      return
    }
    void tick(address, mine)
  }

  function end(): Life | null {
    const ended = life
    life = null
    ended?.ticking.abort()
    if (ended !== null) ended.wasEnded = true
    return ended
  }

  return {
    address,
    broken,
    start: begin,
    async kill() {
      const killed = end()
      if (killed === null) return
      signalGroup(killed.group, 'SIGKILL')
      while (isGroupAlive(killed.group)) await sleep(GONE_POLL_MS)
      lives += 1
      keepLog(start.config.stateDir, lives)
    },
    async stop() {
      end()
      await processes.stopAll()
    },
  }
}

function tick(address: string, { ticking }: Life): Promise<void> {
  const onFailure = (reason: string) => {
    if (!ticking.signal.aborted) console.error(`Scheduled work failed: ${reason}`)
  }
  return runCronTicks({ address, everyMs: CRON_EVERY_MS, signal: ticking.signal, onFailure })
}

/** Renames the log of a killed worker, because the next worker overwrites `worker.log`. */
function keepLog(stateDir: string, life: number): void {
  const log = join(stateDir, 'worker.log')
  if (existsSync(log)) renameSync(log, join(stateDir, `worker-${life}.log`))
}
