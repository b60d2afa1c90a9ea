import { relative } from 'node:path'
import { experimental_readRawConfig, type Unstable_RawConfig } from 'wrangler'
import { isPublishableKey } from '#web/features/auth/publishable-key.ts'
import { type Environment, limitIdIn, nameIn, wrangler } from './environment.ts'
import { type Found, issuerOf, originsOf, type Settings } from './settings.ts'
import type { Shell } from './shell.ts'

export type WorkerConfig = Unstable_RawConfig

export interface Cloud {
  environment: Environment
  /** `wrangler.toml` as it stands. */
  base: WorkerConfig
  shell: Shell
}

/** Variables that follow from settings and from what was found; they are written once. */
const OWN_VARS = [
  'ENVIRONMENT',
  'APP_ORIGINS',
  'CLERK_ISSUER',
  'CLERK_JWT_KEY',
  'OPERATOR_IDS',
  'R2_S3_ENDPOINT',
  'ROOM_JURISDICTION',
  'DB_READ_REPLICATION',
]

export function readBaseConfig(): WorkerConfig {
  return experimental_readRawConfig({ config: 'wrangler.toml' }).rawConfig
}

interface ConfigSources {
  settings: Settings
  found: Found
}

/** `wrangler.toml` as an environment needs it: its names, ids, addresses and variables instead of this machine's. */
export function makeConfig(
  base: WorkerConfig,
  environment: Environment,
  { settings, found }: ConfigSources,
): WorkerConfig {
  const fromDir = (path: string | undefined) => relative(environment.dir, path ?? '')
  const named = (name: string | undefined) => nameIn(environment, name ?? '')
  const bucket = bucketOf(base, environment)
  return {
    ...base,
    name: environment.name,
    account_id: found.accountId,
    main: fromDir(base.main),
    assets: { ...base.assets, directory: fromDir(base.assets?.directory) },
    ...addressesOf(environment, settings),
    vars: {
      ...base.vars,
      ...settings.vars,
      ENVIRONMENT: environment.stage,
      APP_ORIGINS: originsOf(environment, settings).join(','),
      CLERK_ISSUER: issuerOf(settings),
      CLERK_JWT_KEY: found.clerkJwtKey,
      OPERATOR_IDS: settings.operatorIds.join(','),
      R2_S3_ENDPOINT: storageUrlOf({ accountId: found.accountId, jurisdiction: settings.jurisdiction }, bucket),
      ROOM_JURISDICTION: found.roomJurisdiction ?? '',
      DB_READ_REPLICATION: found.readReplication,
    },
    d1_databases: base.d1_databases?.map((database) => ({
      ...database,
      database_name: named(database.database_name),
      database_id: idOf(database.binding, found) || database.database_id,
      ...(database.migrations_dir ? { migrations_dir: fromDir(database.migrations_dir) } : {}),
    })),
    r2_buckets: base.r2_buckets?.map(({ binding }) => ({
      binding,
      bucket_name: bucket,
      ...(settings.jurisdiction && { jurisdiction: settings.jurisdiction }),
    })),
    // Bound where a sender is set: without a domain at the Email Service a deployment would be refused.
    ...(settings.vars['MAIL_FROM'] && {
      send_email: [{ name: 'EMAIL', allowed_sender_addresses: [settings.vars['MAIL_FROM']] }],
    }),
    ratelimits: base.ratelimits?.map((limit) => ({
      ...limit,
      namespace_id: limitIdIn(environment, limit.namespace_id),
    })),
    queues: {
      producers: base.queues?.producers?.map((producer) => ({ ...producer, queue: named(producer.queue) })),
      consumers: base.queues?.consumers?.map((consumer) => ({
        ...consumer,
        queue: named(consumer.queue),
        ...(consumer.dead_letter_queue ? { dead_letter_queue: named(consumer.dead_letter_queue) } : {}),
      })),
    },
  } as WorkerConfig
}

const idOf = (binding: string, found: Found) => (binding === 'SEARCH' ? found.searchDatabaseId : found.databaseId)

/** The databases of an environment: the truth, and the search index. */
export function databasesOf(base: WorkerConfig, environment: Environment): { database: string; search: string } {
  const nameOf = (binding: string) =>
    nameIn(environment, base.d1_databases?.find((each) => each.binding === binding)?.database_name ?? '')
  return { database: nameOf('DB'), search: nameOf('SEARCH') }
}

export function bucketOf(base: WorkerConfig, environment: Environment): string {
  return nameIn(environment, base.r2_buckets?.[0]?.bucket_name ?? '')
}

/** A bucket of a jurisdiction is reached at a host of its own. */
export function storageUrlOf(
  { accountId, jurisdiction }: { accountId: string; jurisdiction: Settings['jurisdiction'] },
  bucket: string,
): string {
  const account = jurisdiction === '' ? accountId : `${accountId}.${jurisdiction}`
  return `https://${account}.r2.cloudflarestorage.com/${bucket}`
}

/** A command about the environment's bucket; without its jurisdiction wrangler would not find it. */
export function wranglerR2(
  environment: Environment,
  { jurisdiction }: Pick<Settings, 'jurisdiction'>,
  ...args: string[]
) {
  const within = jurisdiction === '' ? [] : ['--jurisdiction', jurisdiction]
  return wrangler(environment, 'r2', 'bucket', ...args, ...within)
}

/** All queues of an environment, dead letters and the bucket's news included. */
export function queuesOf(base: WorkerConfig, environment: Environment): string[] {
  const { producers = [], consumers = [] } = base.queues ?? {}
  const names = [...producers, ...consumers].flatMap(({ queue }) => queue ?? [])
  const dead = consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? [])
  return [...new Set([...names, ...dead])].map((name) => nameIn(environment, name))
}

export function newsQueueOf(queues: readonly string[]): string {
  return queues.find((queue) => queue.endsWith('-uploads')) ?? ''
}

/** Versions have no addresses of their own: Cloudflare gives none to workers with a Durable Object. */
function addressesOf({ isPreview }: Environment, { domains }: Settings) {
  const routes = domains.map((pattern) => ({ pattern, custom_domain: true }))
  return { workers_dev: isPreview, preview_urls: false, ...(isPreview ? {} : { routes }) }
}

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
const LOCAL_HOST = /(^|\.)(localhost|local|test|example|invalid)$/
const PLACEHOLDER_ID = /^[0-]*$/
const PEM = /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n?$/

/** Variables that each call of a model would stumble over; empty is no limit (`openPace`). */
const PACES = ['SPEECH_CALLS_PER_MINUTE', 'LANGUAGE_CALLS_PER_MINUTE']

/** Models of Workers AI; the second one may be left out. */
const MODELS = ['WORKERS_AI_SPEECH_MODEL', 'WORKERS_AI_LANGUAGE_MODEL', 'WORKERS_AI_SECOND_MODEL']
const MODEL_NAME = /^@cf\/[\w.-]+\/[\w.-]+$/

/** A plain address, without a name beside it. */
const SENDER = /^[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}$/i

type Problem = readonly [isThere: boolean, sentence: string]

function sentencesOf(problems: readonly Problem[]): string[] {
  return problems.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []))
}

/** What `wrangler.toml` must not have, one sentence each. */
export function findConfigProblems(base: WorkerConfig): string[] {
  return sentencesOf([
    [
      base.placement !== undefined,
      'placement of wrangler.toml: with it, SharePage is answered by the entry itself (workerd issue 6215), and each shared page would ask itself without end. Remove it.',
    ],
  ])
}

/** What is filled in wrongly or not at all, one sentence each. */
export function findSettingsProblems(environment: Environment, settings: Settings, knownVars: string[]): string[] {
  const { domains, workersDevSubdomain, clerkPublishableKey: key, operatorIds, vars } = settings
  const { isPreview } = environment
  const isNowhere = originsOf(environment, settings).length === 0
  const isKey = isPublishableKey(key)
  return sentencesOf([
    [
      isNowhere && isPreview,
      'workersDevSubdomain: previews are opened at workers.dev; its name stands at Workers & Pages in the dashboard.',
    ],
    [isNowhere && !isPreview, 'domains: where will people open Adapt? Give a host of a zone of the account.'],
    ...domains.map((domain): Problem => [!isPublicHost(domain), `domains: "${domain}" is no public host name.`]),
    [!/^[a-z0-9-]*$/.test(workersDevSubdomain), `workersDevSubdomain: "${workersDevSubdomain}" is no name.`],
    [key === '', 'clerkPublishableKey: missing; it stands at "API keys" in the Clerk dashboard.'],
    [key !== '' && !isKey, 'clerkPublishableKey: this is no publishable key.'],
    [
      isKey && !isPreview && !key.startsWith('pk_live_'),
      'clerkPublishableKey: this is a key of a development instance; production needs pk_live_….',
    ],
    ...operatorIds.map((id): Problem => [!id.startsWith('user_'), `operatorIds: "${id}" is no Clerk user id.`]),
    ...Object.keys(vars).flatMap((name): Problem[] => [
      [OWN_VARS.includes(name), `vars: ${name} follows from the other settings.`],
      [!OWN_VARS.includes(name) && !knownVars.includes(name), `vars: wrangler.toml has no ${name}.`],
    ]),
    ...MODELS.map((name): Problem => {
      const model = vars[name]
      const isNone = model === '' && name === 'WORKERS_AI_SECOND_MODEL'
      return [
        model !== undefined && !isNone && !MODEL_NAME.test(model),
        `vars: ${name} is "${model}"; give a name of the catalogue of Workers AI, such as @cf/meta/llama-3.3-70b-instruct-fp8-fast.`,
      ]
    }),
    [
      vars['ALERT_WEBHOOK_URL'] ? !isHttps(vars['ALERT_WEBHOOK_URL']) : false,
      'vars: ALERT_WEBHOOK_URL is no https address; give one that takes a POST, or nothing.',
    ],
    [
      vars['MAIL_FROM'] ? !SENDER.test(vars['MAIL_FROM']) : false,
      'vars: MAIL_FROM is no address; give one of a domain of the Email Service, such as adapt@example.com, or nothing.',
    ],
    ...PACES.map((name): Problem => {
      const pace = vars[name] ?? ''
      return [
        pace !== '' && !(Number(pace) >= 1),
        `vars: ${name} is "${pace}"; give the calls of a minute, 1 at least, or nothing.`,
      ]
    }),
  ])
}

export function findMissing({ accountId, databaseId, searchDatabaseId, clerkJwtKey }: Found): string[] {
  return sentencesOf([
    [accountId === '', 'The account is not known.'],
    [PLACEHOLDER_ID.test(databaseId), 'The database has no id.'],
    [PLACEHOLDER_ID.test(searchDatabaseId), 'The database of the search has no id.'],
    [!PEM.test(clerkJwtKey), "Clerk's public key is missing."],
  ])
}

/** What was made elsewhere stays there: a new bucket would be empty, and its videos gone from every page. */
export function findMoved({ databaseId, jurisdiction: made }: Found, { jurisdiction }: Settings): string[] {
  const isMoved = databaseId !== '' && made !== jurisdiction
  return sentencesOf([
    [isMoved, `jurisdiction: database and bucket were made with "${made}" and cannot be moved; set it back.`],
  ])
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:'
}

function isPublicHost(host: string): boolean {
  return HOST.test(host) && !LOCAL_HOST.test(host)
}
