import { env } from 'cloudflare:workers'
import { clerkIdentity } from '#worker/adapters/clerk/clerk-identity.ts'
import { clerkStandIn } from '../clerk-stand-in.ts'
import { standInIssuer } from '../session/context.ts'
import { standInJwtKey } from '../session/tokens.ts'

export const ORIGIN = 'http://localhost:8787'
export const PASSWORD = 'correct horse'

/** The worker's own reader of tokens, for those of the stand-in. */
export const identity = clerkIdentity({
  jwtKey: () => standInJwtKey(env.DB),
  issuer: standInIssuer(ORIGIN),
  authorizedParties: [ORIGIN],
})

/** The fields of Clerk's resources that tests go on with; the rest is compared, never used. */
interface Resource {
  id: string
  status: string
  created_session_id: string
  data: Resource[]
  [field: string]: unknown
}

interface TestAnswer {
  status: number
  body: { response: Resource; client: Resource; jwt: string; errors: { code: string; meta: unknown }[] }
}

export interface TestBrowser {
  get: (path: string) => Promise<TestAnswer>
  /** With `method`: the method that Clerk's scripts hide in the query. */
  post: (path: string, fields?: Record<string, string> | [string, string][], method?: string) => Promise<TestAnswer>
  cookies: Map<string, string>
}

/** A browser with its own cookies; every call meets a new stand-in on the same database. */
export function openBrowser({ isMembershipRequired = false } = {}): TestBrowser {
  const cookies = new Map<string, string>()
  async function send(path: string, init: RequestInit): Promise<TestAnswer> {
    const standIn = clerkStandIn({ db: env.DB, assets: env.ASSETS, origin: ORIGIN, isMembershipRequired })
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await standIn.request(`${ORIGIN}/__clerk/v1${path}`, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return { status: response.status, body: await response.json() }
  }
  return {
    cookies,
    get: (path) => send(path, { method: 'GET' }),
    post: (path, fields = {}, method) =>
      send(method ? `${path}?_method=${method}` : path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: ORIGIN },
      }),
  }
}

/** A browser that has just signed up. */
export async function openSignedUpBrowser(options: { isMembershipRequired?: boolean } = {}) {
  const email = `${crypto.randomUUID()}@adapt.test`
  const browser = openBrowser(options)
  const { body } = await browser.post('/client/sign_ups', { email_address: email, password: PASSWORD })
  return { browser, email, sessionId: body.response.created_session_id, userId: body.response.created_user_id }
}
