import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { hostOf } from '#web/features/auth/publishable-key.ts'
import { type Environment, wrangler } from './environment.ts'
import { LATER_VIEWS } from './infrequent-access.ts'
import { CloudError, type Shell } from './shell.ts'

/** What a person decides about an environment. */
export const Settings = z.strictObject({
  /** Cloudflare account; empty where there is only one. */
  accountId: z.string().default(''),
  /** Hosts that people open, in zones of the account; the first is the main one. */
  domains: z.array(z.string()).default([]),
  /** For previews, which have no domain: the account's own part of `<worker>.<subdomain>.workers.dev`. */
  workersDevSubdomain: z.string().default(''),
  clerkPublishableKey: z.string().default(''),
  /** Clerk user ids of those who see all modules on /debug. */
  operatorIds: z.array(z.string()).default([]),
  /** Where database and bucket are made: weur, eeur, apac, oc, wnam or enam. Empty: near the caller. */
  location: z.enum(['', 'weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']).default(''),
  /** `eu`: database and bucket store and serve from the European Union alone, and the location does not count. */
  jurisdiction: z.enum(['', 'eu']).default(''),
  /** How often an average training is watched in a month once it is older than three months. */
  laterViews: z.number().nonnegative().default(LATER_VIEWS),
  /** Other variables of `wrangler.toml` that are to be different. */
  vars: z.record(z.string(), z.string()).default({}),
})
export type Settings = z.infer<typeof Settings>

/** What setup found or made. */
export const Found = z.object({
  accountId: z.string(),
  databaseId: z.string(),
  /** Missing in what a set-up before the search index has written. */
  searchDatabaseId: z.string().default(''),
  clerkJwtKey: z.string(),
  /** Where databases and bucket were made. */
  jurisdiction: Settings.shape.jurisdiction,
  /** Where rooms and paces are kept; missing while it is not settled. What a deployment began with stays. */
  roomJurisdiction: z.enum(['', 'eu']).optional(),
  /** Whether the database has copies near its readers. */
  readReplication: z.enum(['', 'auto']).default(''),
})
export type Found = z.infer<typeof Found>

const NOTHING_FOUND: Found = {
  accountId: '',
  databaseId: '',
  searchDatabaseId: '',
  clerkJwtKey: '',
  jurisdiction: '',
  readReplication: '',
}

/** What a first setup writes, for a person to fill in. */
export const EMPTY_SETTINGS: Settings = Settings.parse({})

/** A person's settings as they could be. */
export function exampleSettings({ isPreview }: Environment): Settings {
  const [place, kind, host] = isPreview
    ? [{ workersDevSubdomain: 'example' }, 'test', 'example.clerk.accounts.dev']
    : [{ domains: ['adapt.example.com'] }, 'live', 'clerk.example.com']
  return { ...EMPTY_SETTINGS, ...place, clerkPublishableKey: `pk_${kind}_${btoa(`${host}$`)}` }
}

/** @returns null while none are written, but an example in a dry run @throws {CloudError} for a file that is no settings */
export function readSettings(environment: Environment, { isDry }: Shell): Settings | null {
  return readJson(environment.settingsPath, Settings) ?? (isDry ? exampleSettings(environment) : null)
}

export function readFound(environment: Environment): Found {
  return readJson(environment.foundPath, Found) ?? NOTHING_FOUND
}

function readJson<Shape extends z.ZodType>(path: string, shape: Shape): z.infer<Shape> | null {
  if (!existsSync(path)) return null
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CloudError(`${path} cannot be used: ${why}`)
  }
}

/** Where people open the app. The first is the main one. */
export function originsOf({ name, isPreview }: Environment, { domains, workersDevSubdomain }: Settings): string[] {
  // A production instance of Clerk works at a domain of one's own only.
  if (!isPreview) return domains.map((domain) => `https://${domain}`)
  return workersDevSubdomain === '' ? [] : [`https://${name}.${workersDevSubdomain}.workers.dev`]
}

/** The instance of Clerk that a publishable key belongs to; empty for what is no key. */
export function issuerOf({ clerkPublishableKey }: Settings): string {
  const host = hostOf(clerkPublishableKey)
  return host === null ? '' : `https://${host}`
}

const SecretList = z.array(z.object({ name: z.string() }))

const NO_WORKER = /Worker .* not found/i

/** Whether an environment has a worker, which may have rooms. @throws {CloudError} when that cannot be seen */
export async function hasWorker(environment: Environment, shell: Shell): Promise<boolean> {
  return (await shell.ask(wrangler(environment, 'secret', 'list', '--format', 'json'), NO_WORKER)) !== null
}

/**
 * Names of the secrets that an environment's worker has; none while there is no worker.
 * @throws {CloudError} when they cannot be listed: a secret that is there must not be taken for a missing one
 */
export async function listSecrets(environment: Environment, shell: Shell): Promise<string[]> {
  const there = await shell.ask(wrangler(environment, 'secret', 'list', '--format', 'json'), NO_WORKER)
  const names = there === null ? [] : SecretList.parse(JSON.parse(there)).map(({ name }) => name)
  return [...names, ...namesInFile(environment)]
}

export function hasSecretsFile({ secretsPath }: Environment): boolean {
  return existsSync(secretsPath)
}

function namesInFile(environment: Environment): string[] {
  if (!hasSecretsFile(environment)) return []
  const values = parseEnv(readFileSync(environment.secretsPath, 'utf8'))
  return Object.keys(values).filter((name) => values[name] !== '')
}
