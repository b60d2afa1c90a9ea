import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#local/start/preflight.ts'

const FIRST_PORT = 18_900
const READY_WITHIN_MS = 300_000
const READY_POLL_MS = 500

/** Runs what `npm start` in `repoDir` runs, until `run` has ended. */
export async function withSystem<T>(
  { repoDir, stateDir, env: more }: { repoDir: string; stateDir: string; env?: Record<string, string> },
  run: (address: string) => Promise<T>,
): Promise<T> {
  const port = await findFreePort(FIRST_PORT)
  const env = { ...process.env, ...more, PORT: String(port), ADAPT_STATE_DIR: stateDir }
  const system = spawn(process.execPath, ['local/start/main.mjs'], {
    cwd: repoDir,
    env,
    // The standard output is for the result of the caller alone.
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  try {
    await untilReady(`http://localhost:${port}`, system)
    return await run(`http://localhost:${port}`)
  } finally {
    if (system.exitCode === null) {
      const ended = once(system, 'exit')
      system.kill('SIGTERM')
      await ended
    }
  }
}

/** Settles when the system answers. */
async function untilReady(address: string, system: ChildProcess): Promise<void> {
  const untilMs = Date.now() + READY_WITHIN_MS
  while (Date.now() < untilMs) {
    if (system.exitCode !== null) throw new Error('Adapt did not start; what it said is above.')
    const answer = await fetch(`${address}/api/health`).catch(() => null)
    if (answer?.ok) return
    await sleep(READY_POLL_MS)
  }
  throw new Error('Adapt did not become ready.')
}
