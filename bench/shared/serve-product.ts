import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServedWorker, serveWorker } from './serve.ts'

const REPO = join(import.meta.dirname, '../..')

/** All that the product's configuration names. Its presigned addresses lead to the bucket of this machine. */
const VARS = {
  APP_ORIGINS: 'http://localhost:8787',
  R2_ACCESS_KEY_ID: 'local',
  R2_SECRET_ACCESS_KEY: 'local-only',
  TICKET_SECRET: 'bench-only',
  SPEECH_API_KEY: 'none',
  LANGUAGE_API_KEY: 'none',
}

interface Serving {
  /** A worker around the product's own. */
  entrypoint: string
  stateFolder: string
  /** The built page; nothing by default. */
  assets?: string
  /** Instead of the usual ones. */
  vars?: Record<string, string>
  /** See `serveWorker`. */
  isInspected?: boolean
}

/** The product by its own configuration, on an empty database that has all of its tables. */
export async function serveProduct({
  entrypoint,
  stateFolder,
  assets,
  vars,
  ...serving
}: Serving): Promise<ServedWorker> {
  const envFile = join(stateFolder, 'vars.env')
  const lines = Object.entries({ ...VARS, ...vars }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(envFile, lines.join(''))
  const wrangler = join(REPO, 'node_modules/wrangler/wrangler-dist/cli.js')
  const migrate = `d1 migrations apply adapt --local --persist-to ${join(stateFolder, 'data')}`.split(' ')
  await promisify(execFile)(process.execPath, [wrangler, ...migrate], { cwd: REPO })
  const config = join(REPO, 'wrangler.toml')
  const served = assets ?? (await makeEmpty(stateFolder))
  return serveWorker({ ...serving, config, entrypoint, stateFolder, assets: served, envFile })
}

async function makeEmpty(stateFolder: string): Promise<string> {
  const folder = join(stateFolder, 'no-page')
  await mkdir(folder, { recursive: true })
  return folder
}
