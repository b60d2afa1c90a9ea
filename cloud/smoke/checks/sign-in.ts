import { EraseAnswer } from '#contract/account.ts'
import { ModuleListAnswer } from '#contract/module.ts'
import { type Check, call, expectOk, LeftOut, read, requirePerson, seconds, type Visit } from '../visit.ts'

/** A token is refused a few seconds early or late. */
const CLOCKS_APART_MS = 5_000

export const signIn: Check = {
  name: 'Sign-in',
  advice: 'Run cloud:setup with CLERK_SECRET_KEY and deploy: the key or the template of this Clerk is another one.',
  run: async (visit) => {
    if (visit.openPerson === null) throw new LeftOut('set CLERK_SECRET_KEY, with which a person is made for a minute')
    const person = await visit.openPerson()
    visit.person = person
    await person.joinOrganization()
    await call(visit, '/api/modules')
      .then(expectOk)
      // What is uploaded in an organization stays there when its person is erased.
      .finally(() => person.needsOrganization || person.leaveOrganization())
    await expectOk(await call(visit, '/api/modules'))
    const token = person.hasTemplate()
      ? 'a token of the template api is accepted'
      : 'a session token is, without a template'
    return person.needsOrganization
      ? `${token}; Clerk requires an organization`
      : `${token}, with and without an organization`
  },
}

export const clocks: Check = {
  name: 'Clocks',
  advice: 'Set the clock of this machine. Where it is right, ask Cloudflare or Clerk.',
  run: async ({ person, workerOffMs }) => {
    if (person === null || workerOffMs === null) throw new LeftOut('nothing was signed')
    const off = { worker: workerOffMs, Clerk: person.clockOffMs() }
    if (Math.max(off.worker, off.Clerk) > CLOCKS_APART_MS)
      throw new Error(`the worker is ${seconds(off.worker)} off, Clerk ${seconds(off.Clerk)}`)
    return `less than ${seconds(CLOCKS_APART_MS)} apart`
  },
}

/** Erases what Adapt keeps of a person, and removes them at Clerk whether that worked or not. */
export async function removePerson(visit: Visit): Promise<EraseAnswer> {
  const person = requirePerson(visit)
  const json = { confirm: 'erase' }
  const erase = async () => read(EraseAnswer, await call(visit, '/api/account', { method: 'DELETE', json }))
  const removeModules = async () => {
    // What was made in an organization would stay with it.
    if (!person.needsOrganization) return
    const { modules } = await read(ModuleListAnswer, await call(visit, '/api/modules'))
    for (const { id } of modules) await expectOk(await call(visit, `/api/modules/${id}`, { method: 'DELETE' }))
  }
  return removeModules()
    .then(erase)
    .finally(() => person.remove())
}

export async function removeAll(visit: Visit): Promise<string> {
  const { modulesLeft, removedBy } = await removePerson(visit)
  if (visit.moduleId === '') return 'the person'
  const { status } = await fetch(`${visit.origin}/share/${visit.moduleId}`, { headers: { accept: 'application/json' } })
  if (status !== 404) throw new Error(`the shared page still answers ${status}`)
  if (visit.person?.needsOrganization) return 'the person and the module; its files go after a week'
  return `the person, the module and ${modulesLeft === 0 ? 'its files' : `by ${removedBy} its files`}`
}

export const removed: Check = {
  name: 'Removed',
  advice: 'Remove what it made by hand: the person at Clerk, and their module on /debug.',
  run: removeAll,
}
