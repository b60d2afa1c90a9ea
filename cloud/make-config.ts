import { relative } from 'node:path'
import { experimental_readRawConfig, type Unstable_RawConfig } from 'wrangler'
import { type Environment, limitIdIn, nameIn } from './environment.ts'
import { type Found, issuerOf, originsOf, type Settings } from './settings.ts'

export type WorkerConfig = Unstable_RawConfig

/** Variables that follow from settings and from what was found; nobody writes them twice. */
export const OWN_VARS = ['APP_ORIGINS', 'CLERK_ISSUER', 'CLERK_JWT_KEY', 'OPERATOR_IDS', 'R2_S3_ENDPOINT']

/** `wrangler.toml` as it stands. */
export function readBaseConfig(): WorkerConfig {
  return experimental_readRawConfig({ config: 'wrangler.toml' }).rawConfig
}

/** `wrangler.toml` as an environment needs it: its names, ids, addresses and variables instead of this machine's. */
export function makeConfig(
  base: WorkerConfig,
  environment: Environment,
  { settings, found }: { settings: Settings; found: Found },
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
    vars: { ...base.vars, ...settings.vars, ...ownVars(environment, { settings, found, bucket }) },
    d1_databases: base.d1_databases?.map((database) => ({
      ...database,
      database_name: named(database.database_name),
      database_id: found.databaseId || database.database_id,
      migrations_dir: fromDir(database.migrations_dir),
    })),
    r2_buckets: base.r2_buckets?.map(({ binding }) => ({ binding, bucket_name: bucket })),
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

/** The bucket of videos in an environment. */
export function bucketOf(base: WorkerConfig, environment: Environment): string {
  return nameIn(environment, base.r2_buckets?.[0]?.bucket_name ?? '')
}

/** Where a bucket takes presigned uploads. */
export function storageUrlOf(accountId: string, bucket: string): string {
  return `https://${accountId}.r2.cloudflarestorage.com/${bucket}`
}

/** All queues of an environment, dead letters and the bucket's news included. */
export function queuesOf(base: WorkerConfig, environment: Environment): string[] {
  const { producers = [], consumers = [] } = base.queues ?? {}
  const names = [...producers, ...consumers].flatMap(({ queue }) => queue ?? [])
  const dead = consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? [])
  return [...new Set([...names, ...dead])].map((name) => nameIn(environment, name))
}

/** Versions have no addresses of their own: Cloudflare gives none to workers with a Durable Object. */
function addressesOf({ isPreview }: Environment, { domains }: Settings) {
  const routes = domains.map((pattern) => ({ pattern, custom_domain: true }))
  return { workers_dev: isPreview, preview_urls: false, ...(isPreview ? {} : { routes }) }
}

interface VarSources {
  settings: Settings
  found: Found
  bucket: string
}

function ownVars(environment: Environment, { settings, found, bucket }: VarSources): Record<string, string> {
  return {
    APP_ORIGINS: originsOf(environment, settings).join(','),
    CLERK_ISSUER: issuerOf(settings),
    CLERK_JWT_KEY: found.clerkJwtKey,
    OPERATOR_IDS: settings.operatorIds.join(','),
    R2_S3_ENDPOINT: storageUrlOf(found.accountId, bucket),
  }
}
