import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface InstallLockOptions {
  signal: AbortSignal
  /** How often the holder says that it is alive; for tests that cannot wait. */
  beatMs?: number
}

const BEAT_MS = 1_000
/** A holder that says nothing for so many beats was killed. */
const MISSED_BEATS = 10

/** Runs a task while no other process of this machine runs one under the same lock file. */
export async function withInstallLock<T>(
  path: string,
  { signal, beatMs = BEAT_MS }: InstallLockOptions,
  task: () => Promise<T>,
): Promise<T> {
  while (!(await tryToTake(path))) {
    if (await isLeft(path, beatMs)) await rm(path, { force: true })
    else await sleep(beatMs, undefined, { signal })
  }
  const beat = setInterval(() => void touch(path), beatMs)
  try {
    return await task()
  } finally {
    clearInterval(beat)
    await rm(path, { force: true })
  }
}

async function tryToTake(path: string): Promise<boolean> {
  try {
    // Exclusive, so that of two that come at the same moment one waits.
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isLeft(path: string, beatMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > MISSED_BEATS * beatMs
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  // Where the folder was removed meanwhile, the task itself fails.
  await utimes(path, now, now).catch(() => undefined)
}
