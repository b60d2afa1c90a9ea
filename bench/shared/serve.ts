import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unstable_startWorker } from 'wrangler'
import { findFreePort } from './free-port.ts'

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
