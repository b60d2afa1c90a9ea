import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#local/start/preflight.ts'
import { BUILT_SITE } from '#local/start/site.ts'

/** Of the first worker of Playwright; two that look for a free port at the same moment would find the same one. */
const FIRST_PORT = 18_900
const PORTS_OF_WORKER = 50
const READY_WITHIN_MS = 300_000
const READY_POLL_MS = 500

/** The pages of the system that all journeys share, which one of its own need not build again. */
function takeBuiltSite(stateDir: string): void {
  const shared = process.env['E2E_STATE_DIR']
  if (shared === undefined) return
  for (const name of [BUILT_SITE.pages, BUILT_SITE.stamp]) {
    if (existsSync(join(shared, name))) cpSync(join(shared, name), join(stateDir, name), { recursive: true })
  }
}

/** Runs what `npm start` in `repoDir` runs, until `run` has ended. */
export async function withSystem<T>(
  { repoDir, stateDir, env: more }: { repoDir: string; stateDir: string; env?: Record<string, string> },
  run: (address: string) => Promise<T>,
): Promise<T> {
  takeBuiltSite(stateDir)
  const port = await findFreePort(FIRST_PORT + PORTS_OF_WORKER * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0))
  // The same recogniser on each machine, unless the caller names another.
  const env = { ADAPT_WHISPER: 'off', ...process.env, ...more, PORT: String(port), ADAPT_STATE_DIR: stateDir }
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

/** The same from nothing, with a stand-in for Clerk that requires membership of an organization. */
export async function withMembershipRequired(run: (address: string) => Promise<void>): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-membership-'))
  const env = { ADAPT_CLERK_MEMBERSHIP: 'required' }
  try {
    await withSystem({ repoDir: process.cwd(), stateDir, env }, run)
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
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
