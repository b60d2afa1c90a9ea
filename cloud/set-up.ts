import { createPublicKey, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Environment, wrangler } from './environment.ts'
import { bucketOf, findSettingsProblems, makeConfig, queuesOf, type WorkerConfig } from './make-config.ts'
import { findAccount, findDatabase, findOrCreate } from './resources.ts'
import {
  EMPTY_SETTINGS,
  exampleSettings,
  type Found,
  issuerOf,
  listSecrets,
  originsOf,
  readFound,
  readSettings,
  type Settings,
} from './settings.ts'
import { CloudError, type Shell, show } from './shell.ts'

const KeySet = z.object({
  keys: z.array(z.object({ kty: z.literal('RSA'), alg: z.literal('RS256'), n: z.string(), e: z.string() })).min(1),
})

/** Where an instance of Clerk publishes its keys. */
function keySetUrl(issuer: string): string {
  return `${issuer}/.well-known/jwks.json`
}

/** The key that an instance signs with, as PEM. @returns null for what is no set of keys */
function readClerkKey(keySet: unknown): string | null {
  const key = KeySet.safeParse(keySet).data?.keys[0]
  if (key === undefined) return null
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}

/** A preflight may be remembered for two hours, the most that browsers allow. */
const PREFLIGHT_S = 7200
const DAY_S = 86_400
/** An upload that is never ended is given up: longer than any upload is resumed, and what R2 itself does where no rule says so. */
const UNFINISHED_DAYS = 7
/** Previews are thrown away with their bucket, which has to be empty. */
const PREVIEW_DAYS = 7

/**
 * Which pages may put videos into the bucket. The browser sends nothing but these two headers, and reads the ETag of
 * each part that has arrived.
 * @param origins exact ones: R2 compares them letter by letter
 */
function corsRules(origins: string[]) {
  return {
    rules: [
      {
        allowed: { origins, methods: ['PUT'], headers: ['content-type', 'if-none-match'] },
        exposeHeaders: ['ETag'],
        maxAgeSeconds: PREFLIGHT_S,
      },
    ],
  }
}

/** What the bucket does away with by itself. */
function lifecycleRules({ isPreview }: { isPreview: boolean }) {
  const unfinished = {
    id: 'unfinished-uploads',
    enabled: true,
    conditions: {},
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: UNFINISHED_DAYS * DAY_S } },
  }
  const old = {
    id: 'previews-do-not-last',
    enabled: true,
    conditions: {},
    deleteObjectsTransition: { condition: { type: 'Age', maxAge: PREVIEW_DAYS * DAY_S } },
  }
  return { rules: isPreview ? [unfinished, old] : [unfinished] }
}

/** Claims of Clerk's JWT template `api`: what the worker reads beside the ones that Clerk always writes. */
const TEMPLATE_CLAIMS = { org_id: '{{org.id}}', org_role: '{{org.role}}' }

interface ByHand {
  environment: Environment
  settings: Settings
  bucket: string
  say: (line: string) => void
}

/** Says what only a person can do, with the values to type. */
function listByHand({ environment, settings, bucket, say }: ByHand): void {
  const put = (name: string) => `   ${show(wrangler(environment, 'secret', 'put', name))}`
  const [origin = ''] = originsOf(environment, settings)
  const lines = [
    '',
    'What only you can do (docs/deploy.md has the details):',
    `1. Clerk, ${issuerOf(settings)}: turn on organizations; at "JWT templates" add one that is named`,
    '   api   with these claims:',
    `   ${JSON.stringify(TEMPLATE_CLAIMS)}`,
    ...(environment.isPreview ? [] : [`   At "Domains" the application is at ${new URL(origin).host}.`]),
    `2. R2, "API tokens": make one with "Object Read & Write" for the bucket ${bucket} only, then type its two halves into`,
    put('R2_ACCESS_KEY_ID'),
    put('R2_SECRET_ACCESS_KEY'),
    ...(environment.isPreview ? [`   or keep them for all previews in ${environment.secretsPath}.`] : []),
    `3. Operators: sign up at ${origin}, copy your user id from Clerk's "Users" into operatorIds of`,
    `   ${environment.settingsPath}, and deploy again.`,
    ...settings.domains.map((domain) => `4. ${domain}: its zone must be in this account; the deploy makes the record.`),
    ...modelKeys(settings).map((name) => `5. The key of your own model:\n${put(name)}`),
  ]
  for (const line of lines) say(line)
}

function modelKeys({ vars }: Settings): string[] {
  return ['SPEECH', 'LANGUAGE'].filter((kind) => vars[`${kind}_BASE_URL`]).map((kind) => `${kind}_API_KEY`)
}

/** Videos lie here; audio and images that the worker puts into the bucket itself cause no notification. */
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
  listByHand({ environment, settings, bucket: bucketOf(base, environment), say: shell.say })
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
  const listed = await shell.ask(at('r2', 'bucket', 'notification', 'list', bucket))
  if (listed?.includes(news)) return
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
