import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from '../shared/free-port.ts'

const READY_WITHIN_MS = 300_000

export interface ServedSystem {
  url: string
  stop(): Promise<void>
}

/** Everything that `npm start` runs, with the built page, on a fresh state. */
export async function serveSystem(stateDir: string): Promise<ServedSystem> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../local/start/main.mjs')], {
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
      reject(new Error(`the system was not ready within ${READY_WITHIN_MS / 1000} s`))
    }, READY_WITHIN_MS)
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
