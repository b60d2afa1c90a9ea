import { resolve } from 'node:path'

/** Why Adapt cannot start, in one sentence that says what to do. Shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export type Environment = Record<string, string | undefined>

export interface StartConfig {
  /** `dev` serves the page by Vite with hot reload; `start` serves a build of it, as production does. */
  mode: 'start' | 'dev'
  repoDir: string
  /** Absolute folder of everything that this run keeps; outside of git. */
  stateDir: string
  /** Where people open the app. */
  port: number
  env: Environment
}

const DEFAULT_PORT = '8787'
const LARGEST_PORT = 65_535

export function readStartConfig(args: string[], env: Environment): StartConfig {
  const repoDir = resolve(import.meta.dirname, '../..')
  return {
    mode: args.includes('--dev') ? 'dev' : 'start',
    repoDir,
    stateDir: resolve(repoDir, env.ADAPT_STATE_DIR || '.adapt'),
    port: readPort(env.PORT || DEFAULT_PORT),
    env,
  }
}

function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= LARGEST_PORT) return port
  throw new StartError(`PORT must be a number from 1 to ${LARGEST_PORT}, not "${text}".`)
}

/** The address of a port of this machine. Always this host name: cookies and presigned URLs are bound to it. */
export function addressOf(port: number): string {
  return `http://localhost:${port}`
}
