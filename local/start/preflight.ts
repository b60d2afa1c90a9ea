import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { StartError } from './start-config.ts'

// What `localhost` resolves to; a listener on one of them alone would still take some browsers' requests.
const LOOPBACK_HOSTS = ['127.0.0.1', '::1']
// A machine without IPv6 has no ::1 to be taken.
const HOST_MISSING = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Makes the state folder. @throws {StartError} when nothing can be written there */
export function ensureStateDir(stateDir: string): void {
  try {
    mkdirSync(stateDir, { recursive: true })
    accessSync(stateDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const advice = 'make it writable or choose another with ADAPT_STATE_DIR.'
    throw new StartError(`Adapt cannot write to its folder ${stateDir} (${codeOf(error)}): ${advice}`)
  }
}

/** @throws {StartError} when nothing can listen on the port */
export async function ensurePortIsFree(port: number): Promise<void> {
  const obstacle = await findObstacle(port)
  if (obstacle === null) return
  const why = obstacle === 'EADDRINUSE' ? 'is used by another program' : `cannot be used (${obstacle})`
  throw new StartError(`Port ${port} ${why}: choose another with PORT.`)
}

export async function findFreePort(from: number): Promise<number> {
  let port = from
  while ((await findObstacle(port)) !== null) port += 1
  return port
}

async function findObstacle(port: number): Promise<string | null> {
  for (const host of LOOPBACK_HOSTS) {
    const code = await tryToListen(port, host)
    if (code !== null && !HOST_MISSING.includes(code)) return code
  }
  return null
}

function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error)))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
