import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, type Environment } from './start-config.ts'

export interface WorkerVarsOptions {
  stateDir: string
  /** Where people open the app. */
  pagePort: number
  /** Where the worker itself listens; another one while developing. */
  workerPort: number
  /** Empty when no recogniser is there. */
  speechBaseUrl: string
  /** Empty where a language model translates, or nothing does. */
  translateBaseUrl: string
  env: Environment
}

const QUOTAS = [
  'USER_MODULES_PER_DAY',
  'USER_MINUTES_PER_DAY',
  'USER_AI_USD_PER_DAY',
  'USER_UPLOAD_BYTES_PER_DAY',
  'USER_WRITTEN_ROWS_PER_DAY',
  'ORG_MODULES_PER_DAY',
  'ORG_MINUTES_PER_DAY',
  'ORG_AI_USD_PER_DAY',
  'ORG_UPLOAD_BYTES_PER_DAY',
  'TOTAL_AI_USD_PER_DAY',
  'ORG_MAILS_PER_DAY',
  'TOTAL_MAILS_PER_DAY',
]
/** Settings that the user's environment may give; the rest belongs to this machine. */
const PASSED_ON = [
  'SPEECH_MODEL',
  'SPEECH_API_KEY',
  'LANGUAGE_BASE_URL',
  'LANGUAGE_MODEL',
  'LANGUAGE_SECOND_MODEL',
  'LANGUAGE_API_KEY',
  'TUTOR_MODEL_ANSWERS_PER_DAY',
  'MAX_UPLOAD_BYTES',
  'OPERATOR_IDS',
  ...QUOTAS,
]
// Secrets that have to exist, and are empty where no hosted model is used.
const EMPTY_SECRETS = { SPEECH_API_KEY: '', LANGUAGE_API_KEY: '' }
/** Nothing costs anything on one machine, unless the environment says so. */
export const NO_QUOTAS = Object.fromEntries(QUOTAS.map((name) => [name, '']))
const SECRET_BYTES = 32
/** The recogniser beside us transcribes as many chunks at a time as there are cores; more would only wait in its queue. */
const JOBS_IN_FLIGHT = '12'

export function makeWorkerVars(options: WorkerVarsOptions): Record<string, string> {
  const { stateDir, pagePort, workerPort, speechBaseUrl, translateBaseUrl, env } = options
  const page = addressOf(pagePort)
  const worker = addressOf(workerPort)
  const passedOn = PASSED_ON.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  return {
    ...EMPTY_SECRETS,
    ...NO_QUOTAS,
    ...Object.fromEntries(passedOn),
    APP_ORIGINS: [...new Set([page, worker])].join(','),
    CLERK_ISSUER: `${page}/__clerk`,
    // Presigned URLs are bound to their host, so they name the worker's own address even while developing.
    R2_S3_ENDPOINT: `${worker}/cdn-cgi/local/r2/s3/adapt-media`,
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'local-only',
    TICKET_SECRET: readTicketSecret(stateDir),
    SPEECH_BASE_URL: speechBaseUrl,
    TRANSLATE_BASE_URL: translateBaseUrl,
    TRANSLATE_ENGINE: env.TRANSLATE_ENGINE || (env.TRANSLATE_BASE_URL ? 'LibreTranslate' : 'Apertium'),
    JOBS_IN_FLIGHT,
  }
}

/** Writes variables as wrangler's `--env-file` reads them; no other user may read the file. @returns its path */
export function writeVarsFile(stateDir: string, vars: Record<string, string>): string {
  const path = join(stateDir, 'vars.env')
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quote(value)}\n`)
  writeFileSync(path, lines.join(''), { mode: 0o600 })
  return path
}

/** Made at first start and kept, so that tickets outlive a restart. */
function readTicketSecret(stateDir: string): string {
  const path = join(stateDir, 'ticket-secret')
  if (!existsSync(path)) writeFileSync(path, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 })
  return readFileSync(path, 'utf8')
}

// dotenv takes what stands in quotes as it is, but has no way to write a quote; `$` would be expanded.
function quote(value: string): string {
  const mark = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${mark}${value.replaceAll('$', '\\$')}${mark}`
}
