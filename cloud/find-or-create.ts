import { z } from 'zod'
import { CloudError } from './cloud-error.ts'
import type { Environment } from './environment.ts'
import type { Shell } from './shell.ts'
import { wrangler } from './wrangler.ts'

const Me = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) })
const Databases = z.array(z.object({ name: z.string(), uuid: z.string() }))

/** How the API says that somebody else was faster, or that we may not look at what is there. */
const ALREADY_THERE = /already (exists|taken|been taken|in use)/i

/** Makes something unless it is there. */
export async function findOrCreate(shell: Shell, look: string[], create: string[]): Promise<void> {
  if ((await shell.ask(look)) !== null) {
    shell.say('  is there')
    return
  }
  try {
    await shell.act(create)
  } catch (error) {
    if (!(error instanceof CloudError) || !ALREADY_THERE.test(error.message)) throw error
    shell.say('  is there')
  }
}

/** @returns the account's id; null in a dry run @throws {CloudError} when nobody is signed in, or there are several */
export async function findAccount(shell: Shell): Promise<string | null> {
  const me = await shell.ask(['npx', 'wrangler', 'whoami', '--json'])
  if (shell.isDry) return null
  if (me === null) throw new CloudError('Sign in first: npx wrangler login')
  const { accounts } = Me.parse(JSON.parse(me))
  if (accounts.length === 1) return accounts[0]?.id ?? null
  const list = accounts.map(({ id, name }) => `${id} (${name})`)
  throw new CloudError(['Fill in accountId in the settings, which is one of:', ...list].join('\n  '))
}

interface DatabaseSearch {
  environment: Environment
  shell: Shell
  /** Where a new one is made; empty: near whoever makes it. */
  location: string
}

/** @returns the id of the environment's database, made where it is not there; null in a dry run */
export async function findDatabase({ environment, shell, location }: DatabaseSearch): Promise<string | null> {
  const list = wrangler(environment, 'd1', 'list', '--json')
  const create = wrangler(environment, 'd1', 'create', environment.name, ...(location ? ['--location', location] : []))
  const find = async () => {
    const answer = await shell.ask(list)
    if (answer === null) return null
    return Databases.parse(JSON.parse(answer)).find(({ name }) => name === environment.name)?.uuid ?? null
  }
  const there = await find()
  if (there !== null) {
    shell.say('  is there')
    return there
  }
  await shell.act(create)
  if (shell.isDry) return null
  const made = await find()
  if (made === null)
    throw new CloudError(`The database ${environment.name} was made, but is not listed. Run this again.`)
  return made
}
