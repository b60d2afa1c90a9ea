import type { ClerkClient } from '@clerk/backend'
import { isClerkAPIResponseError } from '@clerk/backend/errors'
import { z } from 'zod'
import { describeRefusal } from '../clerk.ts'

/** A person who is made for the smoke checks. */
export interface Person {
  /** A bearer token, as pages ask Clerk for it. */
  token: () => Promise<string>
  /** How far Clerk's clock was from the one of this machine when it made the newest token. */
  clockOffMs: () => number
  /** Whether the tokens are of the template `api`. */
  hasTemplate: () => boolean
  /** Whether Clerk requires an organization: the session waited for one when it began. */
  needsOrganization: boolean
  /** Makes an organization, in which the person works from now on. @throws when the session or a token does not follow */
  joinOrganization: () => Promise<void>
  /** Goes back to the personal account, where there is one. */
  leaveOrganization: () => Promise<void>
  /** Removes the person and their organization at Clerk. What Adapt keeps of them is erased there. */
  remove: () => Promise<void>
}

/** What only a hosted instance and the stand-in do in different ways. */
interface Means {
  /** @returns the id of an organization of which the person is an admin */
  makeOrganization: () => Promise<string>
  removeOrganization: (id: string) => Promise<unknown>
  removePerson: () => Promise<unknown>
}

interface Places {
  /** Where browsers reach Clerk, such as `https://clerk.example.com`. */
  frontendApi: string
  /** Where the app is opened: the `azp` of the tokens. */
  origin: string
}

const CALL_TIMEOUT_MS = 15_000
const SIGN_IN_WITHIN_S = 300
/** Of the sixty seconds that a token is good for. */
const TOKEN_USED_MS = 40_000

const Session = z.object({
  id: z.string(),
  status: z.string(),
  tasks: z.array(z.object({ key: z.string() })).nullish(),
})
const Started = z.object({
  response: z.object({ created_session_id: z.string() }),
  client: z.object({ sessions: z.array(Session) }).nullish(),
})
const Touched = z.object({ response: Session })
const Organization = z.object({ response: z.object({ id: z.string() }) })
const Minted = z.object({ jwt: z.string() })
/** Tokens of a template name the organization as `org_id`, session tokens in `o`. */
const Claims = z.object({
  iat: z.number(),
  org_id: z.string().nullish(),
  o: z.object({ id: z.string() }).optional(),
})
/** Clerk's task of a session that needs an organization. */
const CHOICE = 'choose-organization'
const ORGANIZATION = { name: 'Adapt smoke' }
const DevBrowser = z.object({ id: z.string() })

/** Creates a person at a hosted instance and signs them in with a ticket, which needs no password and no mail. */
export async function createPerson(clerk: ClerkClient, places: Places): Promise<Person> {
  const { id } = await clerk.users.createUser({ emailAddress: [newAddress()], skipPasswordRequirement: true })
  const { organizations } = clerk
  const means: Means = {
    makeOrganization: async () => {
      try {
        return (await organizations.createOrganization({ ...ORGANIZATION, createdBy: id })).id
      } catch (error) {
        if (!isClerkAPIResponseError(error)) throw error
        throw new Error(`${describeRefusal(error)} At Clerk, Organizations, turn them on`)
      }
    },
    removeOrganization: (organizationId) => organizations.deleteOrganization(organizationId),
    removePerson: () => clerk.users.deleteUser(id),
  }
  try {
    const { token: ticket } = await clerk.signInTokens.createSignInToken({
      userId: id,
      expiresInSeconds: SIGN_IN_WITHIN_S,
    })
    // Lets a program through where Clerk keeps robots out.
    const { token: testing } = await clerk.testingTokens.createTestingToken()
    const browser = new Browser(places, { __clerk_testing_token: testing })
    await browser.introduce()
    return await browser.signIn('/client/sign_ins', { strategy: 'ticket', ticket }, means)
  } catch (error) {
    await means.removePerson()
    throw error
  }
}

/** Signs a new person up at the stand-in of this machine, where anyone may. */
export function signUpPerson(places: Places): Promise<Person> {
  const form = { email_address: newAddress(), password: crypto.randomUUID() }
  const browser = new Browser(places, {})
  return browser.signIn('/client/sign_ups', form, {
    makeOrganization: async () =>
      Organization.parse(await (await browser.post('/organizations', ORGANIZATION)).json()).response.id,
    removeOrganization: (id) => browser.post(`/organizations/${id}`, {}, { method: 'DELETE' }),
    // The stand-in keeps its accounts.
    removePerson: async () => {},
  })
}

function newAddress(): string {
  return `adapt-smoke-${crypto.randomUUID().slice(0, 8)}@example.com`
}

/** Calls Clerk as a browser does, with its cookies and its origin. */
class Browser {
  readonly #places: Places
  readonly #query: Record<string, string>
  readonly #cookies = new Map<string, string>()

  constructor(places: Places, query: Record<string, string>) {
    this.#places = places
    this.#query = query
  }

  /** Development instances know a browser by an id, since their host shares no cookie with the app's. */
  async introduce(): Promise<void> {
    if (!this.#places.frontendApi.endsWith('.clerk.accounts.dev')) return
    this.#query['__clerk_db_jwt'] = DevBrowser.parse(await (await this.post('/dev_browser')).json()).id
  }

  async signIn(path: string, form: Record<string, string>, means: Means): Promise<Person> {
    const { response, client } = Started.parse(await (await this.post(path, form)).json())
    const sessionId = response.created_session_id
    const tokens = `/client/sessions/${sessionId}/tokens`
    let [kept, keptMs, clockOffMs, hasTemplate, organizationId] = ['', 0, 0, true, '']
    const mint = async () => {
      const answer = await this.post(hasTemplate ? `${tokens}/api` : tokens, {}, { accepted: [404] })
      if (answer.status === 404) {
        hasTemplate = false
        return mint()
      }
      return Minted.parse(await answer.json()).jwt
    }
    const token = async () => {
      if (Date.now() - keptMs > TOKEN_USED_MS) {
        kept = await mint()
        keptMs = Date.now()
        clockOffMs = Math.abs(readClaims(kept).iat * 1000 - keptMs)
      }
      return kept
    }
    const workIn = async (id: string) => {
      keptMs = 0
      const touch = { active_organization_id: id, intent: 'select_org' }
      const answer = await this.post(`/client/sessions/${sessionId}/touch`, touch)
      return Touched.parse(await answer.json()).response
    }
    return {
      token,
      clockOffMs: () => clockOffMs,
      hasTemplate: () => hasTemplate,
      needsOrganization: (client?.sessions ?? []).some(
        (session) => session.id === sessionId && waitsFor(session).includes(CHOICE),
      ),
      async joinOrganization() {
        organizationId = await means.makeOrganization()
        const session = await workIn(organizationId)
        if (session.status === 'pending') throw new Error(describePending(waitsFor(session)))
        const { org_id: named, o } = readClaims(await token())
        if ((o?.id ?? named) !== organizationId)
          throw new Error(`the ${hasTemplate ? 'template api' : 'session token'} does not name the active organization`)
      },
      leaveOrganization: async () => void (await workIn('')),
      async remove() {
        try {
          if (organizationId !== '') await means.removeOrganization(organizationId)
        } finally {
          await means.removePerson()
        }
      },
    }
  }

  async post(
    path: string,
    form: Record<string, string> = {},
    { accepted = [], method = 'POST' }: { accepted?: readonly number[]; method?: 'POST' | 'DELETE' } = {},
  ): Promise<Response> {
    const { frontendApi, origin } = this.#places
    // Clerk takes only GET and POST of browsers; the query names another method.
    const query = new URLSearchParams({ ...this.#query, ...(method === 'POST' ? {} : { _method: method }) })
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${frontendApi}/v1${path}?${query}`, {
      method: 'POST',
      headers: { origin, ...(cookie === '' ? {} : { cookie }) },
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    if (answer.ok || accepted.includes(answer.status)) return answer
    throw new Error(`Clerk answered ${path} with ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
  }
}

/** By Clerk's keys. */
function waitsFor({ tasks }: z.infer<typeof Session>): string[] {
  return tasks?.map(({ key }) => key) ?? []
}

function readClaims(token: string): z.infer<typeof Claims> {
  return Claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
}

/** @param tasks what the session of a person with an organization still waits for */
function describePending(tasks: readonly string[]): string {
  const others = tasks.filter((key) => key !== CHOICE)
  const found = `the session stays pending (${tasks.join(', ') || 'without a task'}) although an organization is active`
  const setting =
    others.length === 0 ? 'Organizations, set Membership to optional' : `Sessions, turn ${others.join(' and ')} off`
  return `${found}: at Clerk, ${setting}`
}
