import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CloudError } from './shell.ts'

const COMMANDS = ['setup', 'deploy', 'rollback', 'remove', 'smoke'] as const

export interface Arguments {
  command: (typeof COMMANDS)[number]
  /** Null: production. */
  branch: string | null
  isDry: boolean
  /** Of a rollback; null for the one before. */
  version: string | null
  /** Of a deploy: records of the host that lead somewhere else are replaced. */
  isTakeOver: boolean
  /** Of smoke checks: nothing was deployed there before, so that its cron may not have run yet. */
  isFirst: boolean
  /** Of smoke checks: how many videos are sent at once; 0 for none. */
  load: number
  /** Of smoke checks: how long a socket is left alone, seconds. */
  idleS: number
  /** Of smoke checks: what they look at; null for the environment's main address. */
  url: string | null
}

/** More cost money without showing more: an account begins 720 calls of speech a minute. */
const LOAD_MAX = 50

/** What closes silent connections does so after a minute, as a rule. */
const IDLE_S = { usual: 90, max: 600 }

const USAGE = `Use: npm run cloud:setup|deploy|rollback|cloud:remove|cloud:smoke -- [--preview BRANCH] [--dry-run] [--take-over] [--url URL] [--first] [--load VIDEOS] [--idle SECONDS] [VERSION]`

/** @throws {CloudError} for what is not understood, rather than deploying something else */
export function readArguments(args: string[], env: Record<string, string | undefined>): Arguments {
  // Without "--" npm takes the options for its own, and what it leaves says "production, for real".
  if (env['npm_config_preview'] !== undefined) throw new CloudError(USAGE)
  const { values, positionals } = parse(args)
  const [name, version, ...more] = positionals
  const command = COMMANDS.find((known) => known === name)
  const isTakeOver = values['take-over']
  const isForIt =
    (version === undefined || command === 'rollback') &&
    (!isTakeOver || command === 'deploy') &&
    (command === 'smoke' || [values.url, values.load, values.idle, values.first || undefined].every(isLeftOut))
  const load = Number(values.load ?? 0)
  const idleS = Number(values.idle ?? IDLE_S.usual)
  const isLoad = values.load === undefined || isCount(load, LOAD_MAX)
  const isUnderstood = more.length === 0 && isForIt && isLoad && isCount(idleS, IDLE_S.max)
  if (command === undefined || !isUnderstood || values.preview === '') throw new CloudError(USAGE)
  return {
    command,
    branch: values.preview ?? null,
    isDry: values['dry-run'] || env['npm_config_dry_run'] === 'true',
    version: version ?? null,
    isTakeOver,
    isFirst: values.first,
    load,
    idleS,
    url: values.url ?? null,
  }
}

const isLeftOut = (value: unknown) => value === undefined
const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max

function parse(args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const options = {
    preview: { type: 'string' },
    'dry-run': flag,
    'take-over': flag,
    first: flag,
    load: { type: 'string' },
    idle: { type: 'string' },
    url: { type: 'string' },
  } as const
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new CloudError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

/** What everything is called in `wrangler.toml`; names of other environments begin with something else. */
const BASE_NAME = 'adapt'
/** Kept out of git: ids of accounts, and perhaps secrets. */
const CLOUD_DIR = '.cloud'
/** Names of queues and workers are at most 63 characters; this leaves room for `adapt-preview-` and `-translations`. */
const SLUG_CHARS_MAX = 32
const HASH_CHARS = 6
/** Rate limits are counted per id of an account, so each environment has ids of its own. */
const LIMIT_DIGITS = 5

/** One deployment of Adapt with data of its own: production, or the preview of a branch. */
export interface Environment {
  /** Also the name of the worker and of the database. */
  name: string
  /** What people call it: `production`, or `preview-` and its branch. */
  stage: string
  isPreview: boolean
  /** What a person fills in; one for all previews. Relative to the project, like the others. */
  settingsPath: string
  /** What setup found or made. */
  foundPath: string
  /** Generated from `wrangler.toml` and the two above. */
  configPath: string
  dir: string
  /** Secrets that are sent along with each deploy, if there is such a file. */
  secretsPath: string
}

/** @param branch null for production */
export function environmentOf(branch: string | null): Environment {
  const slug = branch === null ? null : slugOf(branch)
  const stage = slug === null ? 'production' : `preview-${slug}`
  const shared = join(CLOUD_DIR, slug === null ? 'production' : 'preview')
  const dir = slug === null ? shared : join(shared, slug)
  return {
    name: slug === null ? BASE_NAME : `${BASE_NAME}-${stage}`,
    stage,
    isPreview: slug !== null,
    settingsPath: join(shared, 'settings.json'),
    secretsPath: join(shared, 'secrets.env'),
    dir,
    foundPath: join(dir, 'found.json'),
    configPath: join(dir, 'wrangler.json'),
  }
}

/** What `adapt-…` of `wrangler.toml` is called in an environment. */
export function nameIn(environment: Environment, baseName: string): string {
  return baseName.replace(/^adapt(?=-|$)/, environment.name)
}

export function limitIdIn({ isPreview, name }: Environment, baseId: string): string {
  if (!isPreview) return baseId
  const number = Number.parseInt(hashOf(name, 8), 16) % 10 ** LIMIT_DIGITS
  return `${baseId}${String(number).padStart(LIMIT_DIGITS, '0')}`
}

/** A branch as part of a host name. What does not fit gets a hash, so that no two branches share data. */
function slugOf(branch: string): string {
  const plain = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (plain === branch && plain.length <= SLUG_CHARS_MAX) return plain
  const kept = plain.slice(0, SLUG_CHARS_MAX - HASH_CHARS - 1)
  return `${kept}-${hashOf(branch, HASH_CHARS)}`.replace(/^-/, '').replace('--', '-')
}

function hashOf(text: string, chars: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, chars)
}

export function wrangler({ configPath }: Pick<Environment, 'configPath'>, ...args: string[]): string[] {
  return ['npx', 'wrangler', ...args, '--config', configPath]
}
