import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A screen without a monitor, with a window manager. */
export interface XSession {
  env: NodeJS.ProcessEnv
  /** Shows a program until its picture no longer changes, writes that to a file, and ends the program. */
  capture(command: readonly string[], options: CaptureOptions): Promise<void>
  close(): void
}

interface CaptureOptions {
  file: string
  env?: Record<string, string>
  /** Part of the title of its window. */
  title: string
  /** Keys that are pressed then, as xdotool names them. */
  keys?: readonly string[]
}

const WINDOW_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 700

export async function openSession(
  display: number,
  { width, height, env: added = {} }: { width: number; height: number; env?: Record<string, string> },
): Promise<XSession> {
  const name = `:${display}`
  const env = { ...process.env, ...added, DISPLAY: name, NO_AT_BRIDGE: '1', LC_ALL: 'C.UTF-8' }
  const server = spawn('Xvfb', [name, '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], { stdio: 'ignore' })
  await wait(1_000)
  const manager = spawn('openbox', [], { env, stdio: 'ignore' })
  await wait(500)
  return {
    env,
    capture: async (command, options) => {
      const [program = '', ...args] = command
      // In a group of its own, so that all that it starts ends with it.
      const child = spawn(program, args, { env: { ...env, ...options.env }, stdio: 'ignore', detached: true })
      try {
        await waitForWindow(options.title, env)
        await wait(LOOK_EVERY_MS)
        for (const key of options.keys ?? []) {
          await run('xdotool', ['key', key], { env })
          await wait(LOOK_EVERY_MS)
        }
        await waitUntilStill(options.file, env)
      } finally {
        await end(child)
      }
    },
    close: () => {
      manager.kill()
      server.kill()
    },
  }
}

async function waitForWindow(title: string, env: NodeJS.ProcessEnv): Promise<void> {
  const untilMs = Date.now() + WINDOW_WITHIN_MS
  for (;;) {
    // A window that closes meanwhile, such as a splash screen, fails the search.
    const ids = await run('xdotool', ['search', '--onlyvisible', '--name', title], { env }).catch(() => null)
    if (ids !== null) break
    if (Date.now() > untilMs) throw new Error(`No window with "${title}" opened`)
    await wait(LOOK_EVERY_MS)
  }
  // A corner, where no text is.
  await run('xdotool', ['mousemove', '10000', '10000'], { env })
}

async function waitUntilStill(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  let before: Buffer | null = null
  for (let look = 0; look < 20; look++) {
    await run('import', ['-window', 'root', '-define', 'png:exclude-chunks=date,time', file], { env })
    const now = readFileSync(file)
    if (before?.equals(now)) return
    before = now
    await wait(LOOK_EVERY_MS)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await ended
}
