import type { ClerkClient } from '@clerk/backend'
import { z } from 'zod'

/** A person who is made for the smoke checks. */
export interface Person {
  /** A bearer token, as pages ask Clerk for it. */
  token: () => Promise<string>
  /** How far Clerk's clock was from the one of this machine when it made the newest token. */
  clockOffMs: () => number
  /** Whether the tokens are of the template `api`. */
  hasTemplate: () => boolean
  /** Removes the person at Clerk. What Adapt keeps of them is erased there. */
  remove: () => Promise<void>
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

const Started = z.object({ response: z.object({ created_session_id: z.string() }) })
const Minted = z.object({ jwt: z.string() })
const Claims = z.object({ iat: z.number() })
const DevBrowser = z.object({ id: z.string() })

/** Creates a person at a hosted instance and signs them in with a ticket, which needs no password and no mail. */
export async function createPerson(clerk: ClerkClient, places: Places): Promise<Person> {
  const { id } = await clerk.users.createUser({ emailAddress: [newAddress()], skipPasswordRequirement: true })
  const remove = async () => void (await clerk.users.deleteUser(id))
  try {
    const { token: ticket } = await clerk.signInTokens.createSignInToken({
      userId: id,
      expiresInSeconds: SIGN_IN_WITHIN_S,
    })
    // Lets a program through where Clerk keeps robots out.
    const { token: testing } = await clerk.testingTokens.createTestingToken()
    const browser = new Browser(places, { __clerk_testing_token: testing })
    await browser.introduce()
    return await browser.signIn('/client/sign_ins', { strategy: 'ticket', ticket }, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

/** Signs a new person up at the stand-in of this machine, where anyone may. */
export function signUpPerson(places: Places): Promise<Person> {
  const form = { email_address: newAddress(), password: crypto.randomUUID() }
  return new Browser(places, {}).signIn('/client/sign_ups', form, async () => {})
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
    this.#query['__clerk_db_jwt'] = DevBrowser.parse(await (await this.#post('/dev_browser')).json()).id
  }

  async signIn(path: string, form: Record<string, string>, remove: Person['remove']): Promise<Person> {
    const { response } = Started.parse(await (await this.#post(path, form)).json())
    const tokens = `/client/sessions/${response.created_session_id}/tokens`
    let [kept, keptMs, clockOffMs, hasTemplate] = ['', 0, 0, true]
    const mint = async () => {
      const answer = await this.#post(hasTemplate ? `${tokens}/api` : tokens, {}, [404])
      if (answer.status === 404) {
        hasTemplate = false
        return mint()
      }
      return Minted.parse(await answer.json()).jwt
    }
    return {
      async token() {
        if (Date.now() - keptMs > TOKEN_USED_MS) {
          kept = await mint()
          keptMs = Date.now()
          const { iat } = Claims.parse(JSON.parse(Buffer.from(kept.split('.')[1] ?? '', 'base64url').toString()))
          clockOffMs = Math.abs(iat * 1000 - keptMs)
        }
        return kept
      },
      clockOffMs: () => clockOffMs,
      hasTemplate: () => hasTemplate,
      remove,
    }
  }

  async #post(path: string, form: Record<string, string> = {}, accepted: readonly number[] = []): Promise<Response> {
    const { frontendApi, origin } = this.#places
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${frontendApi}/v1${path}?${new URLSearchParams(this.#query)}`, {
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
