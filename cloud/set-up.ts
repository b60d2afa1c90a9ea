import { randomBytes } from 'node:crypto'
import type { ClerkClient } from '@clerk/backend'
import { createTemplate, listPems, type OrganizationState, settleOrganizations, TEMPLATE_CLAIMS } from './clerk.ts'
import { wrangler } from './environment.ts'
import { SOURCES, setLifecycle } from './lifecycle.ts'
import {
  bucketOf,
  type Cloud,
  databasesOf,
  findConfigProblems,
  findMoved,
  findSettingsProblems,
  makeConfig,
  newsQueueOf,
  queuesOf,
  wranglerR2,
} from './make-config.ts'
import { findAccount, findDatabase, findOrCreate, turnOnReplication } from './resources.ts'
import {
  EMPTY_SETTINGS,
  type Found,
  hasWorker,
  issuerOf,
  listSecrets,
  originsOf,
  readFound,
  readSettings,
  type Settings,
} from './settings.ts'
import { CloudError, type Shell, show } from './shell.ts'

/** A preflight may be remembered for two hours, the most that browsers allow. */
const PREFLIGHT_S = 7200

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

const TURN_ON = 'turn on organizations, with "Membership: optional".'
const ORGANIZATIONS_BY_HAND: Readonly<Record<OrganizationState, string>> = {
  settled: 'organizations are on and membership is optional, so leave it so.',
  off: TURN_ON,
  required:
    'set the membership of organizations to "optional". While it is required, people without an organization do not get in.',
  unknown: TURN_ON,
}

/** Says what only a person can do, with the values to type. */
function listByHand(
  { environment, base, shell }: Cloud,
  settings: Settings,
  { hasTemplate, organizations }: { hasTemplate: boolean; organizations: OrganizationState },
): void {
  const put = (name: string) => `   ${show(wrangler(environment, 'secret', 'put', name))}`
  const [origin = ''] = originsOf(environment, settings)
  const lines = [
    '',
    'What only you can do (docs/deploy.md has the details):',
    `1. Clerk, ${issuerOf(settings)}: ${ORGANIZATIONS_BY_HAND[organizations]}`,
    ...(hasTemplate
      ? []
      : [
          '   Run this again with CLERK_SECRET_KEY set, or at "JWT templates" add one that is named',
          '   api   with these claims:',
          `   ${JSON.stringify(TEMPLATE_CLAIMS)}`,
        ]),
    ...(environment.isPreview ? [] : [`   At "Domains" the application is at ${new URL(origin).host}.`]),
    `2. R2, "API tokens": make one with "Object Read & Write" for the bucket ${bucketOf(base, environment)} only, then type its two halves into`,
    put('R2_ACCESS_KEY_ID'),
    put('R2_SECRET_ACCESS_KEY'),
    ...(environment.isPreview ? [`   or keep them for all previews in ${environment.secretsPath}.`] : []),
    `3. Operators: sign up at ${origin}, copy your user id from Clerk's "Users" into operatorIds of`,
    `   ${environment.settingsPath}, and deploy again.`,
    ...settings.domains.map((domain) => `4. ${domain}: its zone must be in this account; the deploy makes the record.`),
    ...Object.entries(MODEL_KEYS).flatMap(([name, variable]) =>
      settings.vars[variable] ? [`5. The key of your own model:\n${put(name)}`] : [],
    ),
    settings.vars['MAIL_FROM']
      ? `6. Mail: the domain of ${settings.vars['MAIL_FROM']} has to be set up at Cloudflare's "Email Service".`
      : `6. Mail, where people are to be reminded by it: set up a domain at Cloudflare's "Email Service", and name the sender as MAIL_FROM in vars.`,
  ]
  for (const line of lines) shell.say(line)
}

/** Keys of models, and the variable that names a model of one's own; without one the key is required and sent nowhere. */
const MODEL_KEYS = { SPEECH_API_KEY: 'SPEECH_BASE_URL', LANGUAGE_API_KEY: 'LANGUAGE_BASE_URL' }

/** HMAC-SHA-256 gains nothing from a longer key. */
const TICKET_SECRET_BYTES = 32

/**
 * Makes what an environment needs in the account, or finds it; may be run as often as one likes.
 * @throws {CloudError} when a person has something to fill in first, or a command fails
 */
export async function setUp({ clerk = null, ...cloud }: Cloud & { clerk?: ClerkClient | null }): Promise<void> {
  const { environment, base, shell } = cloud
  const known = readFound(environment)
  const settings = takeSettings(cloud, known)
  const keep = (found: Found) => {
    shell.write(environment.foundPath, found)
    shell.write(environment.configPath, makeConfig(base, environment, { settings, found }))
  }
  shell.say('Account')
  const accountId = settings.accountId || ((await findAccount(shell)) ?? (known.accountId || '<account>'))
  shell.say("Clerk's public key")
  const { jurisdiction } = settings
  const begun = { ...known, accountId, jurisdiction, clerkJwtKey: await getClerkKey(shell, settings) }
  // Commands need the configuration.
  keep(begun)
  const found = { ...begun, roomJurisdiction: known.roomJurisdiction ?? (await settleRooms(cloud, settings)) }
  keep(found)
  shell.say("Clerk's template of tokens")
  const hasTemplate = await createTemplate(clerk, found.clerkJwtKey, shell)
  shell.say("Clerk's organizations")
  const organizations = await settleOrganizations(clerk, issuerOf(settings), shell)
  const { database, search } = databasesOf(base, environment)
  shell.say('Database')
  const databaseId = (await findDatabase(cloud, { ...settings, database })) ?? '<database>'
  keep({ ...found, databaseId })
  shell.say('Copies of the database near its readers')
  const readReplication = await turnOnReplication(cloud, { accountId, database, databaseId, jurisdiction })
  shell.say('Database of the search')
  const searchDatabaseId = (await findDatabase(cloud, { ...settings, database: search })) ?? '<search database>'
  keep({ ...found, databaseId, searchDatabaseId, readReplication })
  await setUpStorage(cloud, settings)
  await setUpSecrets(cloud, settings)
  listByHand(cloud, settings, { hasTemplate, organizations })
}

/** Rooms of a worker that is there were made anywhere, and would be others elsewhere. */
async function settleRooms(
  { environment, shell }: Cloud,
  { jurisdiction }: Settings,
): Promise<Settings['jurisdiction']> {
  if (jurisdiction === '') return ''
  return (await hasWorker(environment, shell)) ? '' : jurisdiction
}

function takeSettings({ environment, base, shell }: Cloud, found: Found): Settings {
  const settings = readSettings(environment, shell)
  if (settings === null) {
    shell.write(environment.settingsPath, EMPTY_SETTINGS)
    throw new CloudError(
      `Fill in ${environment.settingsPath}, then run this again. docs/deploy.md says what belongs there.`,
    )
  }
  const problems = [
    ...findConfigProblems(base),
    ...findSettingsProblems(environment, settings, Object.keys(base.vars ?? {})),
    ...findMoved(found, settings),
  ]
  if (problems.length > 0) throw new CloudError([`${environment.settingsPath} is not ready:`, ...problems].join('\n  '))
  return settings
}

async function setUpStorage({ environment, base, shell }: Cloud, settings: Settings): Promise<void> {
  const bucket = bucketOf(base, environment)
  const queues = queuesOf(base, environment)
  const at = (...args: string[]) => wrangler(environment, ...args)
  const r2 = (...args: string[]) => wranglerR2(environment, settings, ...args)
  shell.say('Bucket')
  const hint = settings.location === '' || settings.jurisdiction !== '' ? [] : ['--location', settings.location]
  await findOrCreate(shell, r2('info', bucket, '--json'), r2('create', bucket, ...hint))
  const corsPath = `${environment.dir}/cors.json`
  shell.write(corsPath, corsRules(originsOf(environment, settings)))
  await shell.act(r2('cors', 'set', bucket, '--file', corsPath, '--force'))
  await setLifecycle({ environment, base, shell }, settings)
  shell.say('Queues')
  for (const queue of queues) await findOrCreate(shell, at('queues', 'info', queue), at('queues', 'create', queue))
  shell.say("The bucket's news")
  const news = newsQueueOf(queues)
  const listed = await shell.ask(r2('notification', 'list', bucket))
  if (listed?.includes(news)) return
  const rule = ['--event-type', 'object-create', '--queue', news, '--prefix', SOURCES]
  await shell.act(r2('notification', 'create', bucket, ...rule))
}

async function getClerkKey(shell: Shell, settings: Settings): Promise<string> {
  const url = `${issuerOf(settings)}/.well-known/jwks.json`
  const [key] = listPems(await shell.fetchJson(url))
  if (key !== undefined) return key
  if (shell.isDry) return ''
  throw new CloudError(`${url} gave no key. Is the publishable key right, and does its host exist yet?`)
}

/** Secrets that no person has to know. */
async function setUpSecrets({ environment, shell }: Cloud, settings: Settings): Promise<void> {
  shell.say('Secrets')
  const there = await listSecrets(environment, shell)
  const put = async (name: string, input: string) => {
    if (!there.includes(name)) await shell.act(wrangler(environment, 'secret', 'put', name), { input })
  }
  await put('TICKET_SECRET', randomBytes(TICKET_SECRET_BYTES).toString('base64url'))
  for (const [name, variable] of Object.entries(MODEL_KEYS)) {
    if (!settings.vars[variable]) await put(name, 'unused')
  }
}
