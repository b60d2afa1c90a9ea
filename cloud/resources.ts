import { z } from 'zod'
import { wrangler } from './environment.ts'
import { bucketOf, type Cloud, databasesOf, newsQueueOf, queuesOf, wranglerR2 } from './make-config.ts'
import { EMPTY_SETTINGS, readSettings, type Settings } from './settings.ts'
import { CloudError, type Shell } from './shell.ts'

const Me = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) })
const Databases = z.array(z.object({ name: z.string(), uuid: z.string() }))

/** How the API says that another set-up was faster, or that we may not look at what is there. */
const ALREADY_THERE = /already (exists|taken|been taken|in use)/i

export async function findOrCreate(shell: Shell, look: string[], create: string[]): Promise<void> {
  if ((await shell.ask(look)) !== null) {
    shell.say('  is there')
    return
  }
  await actUnless(shell, create, ALREADY_THERE, '  is there')
}

/** Runs a command, for which a failure in these words is as good as its success. */
async function actUnless(shell: Shell, command: string[], failure: RegExp, sentence: string): Promise<void> {
  try {
    await shell.act(command)
  } catch (error) {
    if (!(error instanceof CloudError) || !failure.test(error.message)) throw error
    shell.say(sentence)
  }
}

/** @returns the account's id; null in a dry run @throws {CloudError} when no account is signed in, or there are several */
export async function findAccount(shell: Shell): Promise<string | null> {
  const me = await shell.ask(['npx', 'wrangler', 'whoami', '--json'])
  if (shell.isDry) return null
  if (me === null) throw new CloudError('Sign in first: npx wrangler login')
  const { accounts } = Me.parse(JSON.parse(me))
  if (accounts.length === 1) return accounts[0]?.id ?? null
  const list = accounts.map(({ id, name }) => `${id} (${name})`)
  throw new CloudError(['Fill in accountId in the settings, which is one of:', ...list].join('\n  '))
}

/**
 * @param settings where a new one is made; empty: near the caller
 * @returns the id of a database of the environment, made where it is not there; null in a dry run
 */
export async function findDatabase(
  { environment, shell }: Cloud,
  { database, location, jurisdiction }: { database: string } & Pick<Settings, 'location' | 'jurisdiction'>,
): Promise<string | null> {
  const list = wrangler(environment, 'd1', 'list', '--json')
  const place = jurisdiction ? ['--jurisdiction', jurisdiction] : location ? ['--location', location] : []
  const create = wrangler(environment, 'd1', 'create', database, ...place)
  const find = async () => {
    const answer = await shell.ask(list)
    if (answer === null) return null
    return Databases.parse(JSON.parse(answer)).find(({ name }) => name === database)?.uuid ?? null
  }
  const there = await find()
  if (there !== null) {
    shell.say('  is there')
    return there
  }
  await shell.act(create)
  if (shell.isDry) return null
  const made = await find()
  if (made === null) throw new CloudError(`The database ${database} was made, but is not listed. Run this again.`)
  return made
}

const Database = z.object({ read_replication: z.object({ mode: z.string() }).nullish() })
const Changed = z.object({ success: z.literal(true) })

/**
 * Has copies of a database made near its readers, which cost nothing of their own. wrangler has no command for it. The
 * set-up goes on without: shared pages are then read from the database itself.
 * @returns `auto` where there are copies. None in a jurisdiction: the documentation does not say that they stay in it
 */
export async function turnOnReplication(
  { environment, shell }: Cloud,
  {
    accountId,
    database,
    databaseId,
    jurisdiction,
  }: Record<'accountId' | 'database' | 'databaseId', string> & Pick<Settings, 'jurisdiction'>,
): Promise<'' | 'auto'> {
  if (jurisdiction !== '') {
    shell.say('  none: everything stays in the jurisdiction')
    return ''
  }
  const info = await shell.ask(wrangler(environment, 'd1', 'info', database, '--json'))
  if (info !== null && Database.safeParse(JSON.parse(info)).data?.read_replication?.mode === 'auto') {
    shell.say('  are there')
    return 'auto'
  }
  const token = (await shell.ask(wrangler(environment, 'auth', 'token'))) ?? ''
  const url = `https://api.cloudflare.com/client/v4/accounts/${accountId}/d1/database/${databaseId}`
  const answer = await shell.putJson(url, { read_replication: { mode: 'auto' } }, token.trim())
  if (Changed.safeParse(answer).success) return 'auto'
  shell.say(
    `  not turned on. In the dashboard: D1, ${database}, Settings, Enable Read Replication. Then run this again.`,
  )
  return ''
}

/** How the API says that there is nothing to remove. */
const GONE = /not found|does not exist|couldn't find|could not find/i

/**
 * Removes a preview with its data; what is gone already is passed over, so it can be run again.
 * @throws {CloudError} for production
 */
export async function removePreview({ environment, base, shell }: Cloud): Promise<void> {
  if (!environment.isPreview) throw new CloudError('Only previews are removed this way: --preview BRANCH')
  const bucket = bucketOf(base, environment)
  const queues = queuesOf(base, environment)
  const at = (...args: string[]) => wrangler(environment, ...args)
  const settings = readSettings(environment, shell) ?? EMPTY_SETTINGS
  const commands = [
    wranglerR2(environment, settings, 'notification', 'delete', bucket, '--queue', newsQueueOf(queues)),
    // First the worker: a queue with a consumer cannot be removed.
    at('delete', environment.name, '--force'),
    ...queues.map((queue) => at('queues', 'delete', queue)),
    ...Object.values(databasesOf(base, environment)).map((name) => at('d1', 'delete', name, '--skip-confirmation')),
  ]
  for (const command of commands) await actUnless(shell, command, GONE, '  is gone')
  try {
    await actUnless(shell, wranglerR2(environment, settings, 'delete', bucket), GONE, '  is gone')
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    shell.say(`${bucket} still holds videos. It empties itself within a week; run this again then.`)
  }
}
