import { randomBytes } from 'node:crypto'
import { tellByHand } from './by-hand.ts'
import { keySetUrl, readClerkKey } from './clerk-key.ts'
import { CloudError } from './cloud-error.ts'
import type { Environment } from './environment.ts'
import { findAccount, findDatabase, findOrCreate } from './find-or-create.ts'
import { findSettingsProblems } from './find-problems.ts'
import { bucketOf, makeConfig, queuesOf, type WorkerConfig } from './make-config.ts'
import { listSecrets } from './secrets.ts'
import {
  EMPTY_SETTINGS,
  exampleSettings,
  type Found,
  issuerOf,
  originsOf,
  readFound,
  readSettings,
  type Settings,
} from './settings.ts'
import type { Shell } from './shell.ts'
import { corsRules, lifecycleRules } from './storage-rules.ts'
import { wrangler } from './wrangler.ts'

/** Videos lie here; sound and pictures that the worker puts into the bucket itself are no news. */
const SOURCES = 'src/'
const BUCKET_NEWS = /-uploads$/
/** HMAC-SHA-256 gains nothing from a longer key. */
const TICKET_SECRET_BYTES = 32
/** Required by `wrangler.toml`, and sent nowhere while Workers AI is used. */
const UNUSED_KEYS = { SPEECH_API_KEY: 'SPEECH_BASE_URL', LANGUAGE_API_KEY: 'LANGUAGE_BASE_URL' }

interface SetUp {
  environment: Environment
  base: WorkerConfig
  shell: Shell
}

/**
 * Makes what an environment needs in the account, or finds it; may be run as often as one likes.
 * @throws {CloudError} when a person has something to fill in first, or a command fails
 */
export async function setUp({ environment, base, shell }: SetUp): Promise<void> {
  const settings = takeSettings({ environment, base, shell })
  const known = readFound(environment)
  shell.say('Account')
  const accountId = settings.accountId || ((await findAccount(shell)) ?? (known.accountId || '<account>'))
  shell.say("Clerk's public key")
  const clerkJwtKey = await getClerkKey(shell, settings)
  const found = { ...known, accountId, clerkJwtKey }
  keep({ environment, base, shell }, { settings, found })
  shell.say('Database')
  const databaseId = await findDatabase({ environment, shell, location: settings.location })
  keep({ environment, base, shell }, { settings, found: { ...found, databaseId: databaseId ?? '<database>' } })
  await setUpStorage({ environment, base, shell }, settings)
  await setUpSecrets({ environment, base, shell }, settings)
  tellByHand({ environment, settings, bucket: bucketOf(base, environment), say: shell.say })
}

function takeSettings({ environment, base, shell }: SetUp): Settings {
  const settings = readSettings(environment)
  if (settings === null) {
    if (shell.isDry) return exampleSettings(environment)
    shell.write(environment.settingsPath, toJson(EMPTY_SETTINGS))
    throw new CloudError(
      `Fill in ${environment.settingsPath}, then run this again. docs/deploy.md says what belongs there.`,
    )
  }
  const problems = findSettingsProblems(environment, settings, Object.keys(base.vars ?? {}))
  if (problems.length > 0) throw new CloudError([`${environment.settingsPath} is not ready:`, ...problems].join('\n  '))
  return settings
}

async function setUpStorage({ environment, base, shell }: SetUp, settings: Settings): Promise<void> {
  const bucket = bucketOf(base, environment)
  const queues = queuesOf(base, environment)
  const at = (...args: string[]) => wrangler(environment, ...args)
  shell.say('Bucket')
  const hint = settings.location === '' ? [] : ['--location', settings.location]
  await findOrCreate(shell, at('r2', 'bucket', 'info', bucket, '--json'), at('r2', 'bucket', 'create', bucket, ...hint))
  const corsPath = `${environment.dir}/cors.json`
  shell.write(corsPath, toJson(corsRules(originsOf(environment, settings))))
  await shell.act(at('r2', 'bucket', 'cors', 'set', bucket, '--file', corsPath, '--force'))
  const lifecyclePath = `${environment.dir}/lifecycle.json`
  shell.write(lifecyclePath, toJson(lifecycleRules(environment)))
  await shell.act(at('r2', 'bucket', 'lifecycle', 'set', bucket, '--file', lifecyclePath, '--force'))
  shell.say('Queues')
  for (const queue of queues) await findOrCreate(shell, at('queues', 'info', queue), at('queues', 'create', queue))
  shell.say("The bucket's news")
  const news = queues.find((queue) => BUCKET_NEWS.test(queue)) ?? ''
  const told = await shell.ask(at('r2', 'bucket', 'notification', 'list', bucket))
  if (told?.includes(news)) return
  const rule = ['--event-type', 'object-create', '--queue', news, '--prefix', SOURCES]
  await shell.act(at('r2', 'bucket', 'notification', 'create', bucket, ...rule))
}

async function getClerkKey(shell: Shell, settings: Settings): Promise<string> {
  const url = keySetUrl(issuerOf(settings))
  const key = readClerkKey(await shell.fetchJson(url))
  if (key !== null) return key
  if (shell.isDry) return ''
  throw new CloudError(`${url} gave no key. Is the publishable key right, and does its host exist yet?`)
}

/** Secrets that no person has to know. */
async function setUpSecrets({ environment, shell }: SetUp, settings: Settings): Promise<void> {
  shell.say('Secrets')
  const there = await listSecrets(environment, shell)
  const put = async (name: string, input: string) => {
    if (!there.includes(name)) await shell.act(wrangler(environment, 'secret', 'put', name), { input })
  }
  await put('TICKET_SECRET', randomBytes(TICKET_SECRET_BYTES).toString('base64url'))
  for (const [name, variable] of Object.entries(UNUSED_KEYS)) {
    if ((settings.vars[variable] ?? '') === '') await put(name, 'unused')
  }
}

function keep({ environment, base, shell }: SetUp, { settings, found }: { settings: Settings; found: Found }): void {
  shell.write(environment.foundPath, toJson(found))
  shell.write(environment.configPath, toJson(makeConfig(base, environment, { settings, found })))
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
