import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'

/** A person's browser: without an answer it asks again, until the server is back. */
export interface RetryingClient {
  /** Answers of 500 and more. A killed worker gives none at all, so there should be none. */
  readonly serverErrors: string[]
  /** Calls the API as the person; with `json` a POST, else a GET. @throws when the server refuses */
  call<Schema extends z.ZodType>(schema: Schema, call: ApiCall): Promise<z.infer<Schema>>
  /** Puts a file where a presigned URL says. @throws when the server refuses */
  put(upload: { url: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }, signal: AbortSignal): Promise<void>
}

export interface ApiCall {
  path: string
  json?: unknown
  /** Ends the retries. */
  signal: AbortSignal
}

interface Attempts {
  what: string
  send: (limit: AbortSignal) => Promise<Response>
  signal: AbortSignal
  timeoutMs?: number
}

const RETRY_MS = 150
/** Some megabytes, on a machine at its limits. */
const PUT_TIMEOUT_MS = 60_000
/** Tokens live for a minute. */
const TOKEN_AGE_MS = 30_000
const PASSWORD = 'A-long-passphrase-7!'

const SignedUp = z.object({ response: z.object({ created_session_id: z.string() }) })
const Minted = z.object({ jwt: z.string() })

/** Signs a new person up with the Clerk stand-in, as Clerk's own scripts would. */
export async function signUpClient(address: string, signal: AbortSignal): Promise<RetryingClient> {
  const serverErrors: string[] = []
  const getToken = await signUp(address, signal)
  return {
    serverErrors,
    async call(schema, { path, json, signal: callSignal }) {
      const send = async (limit: AbortSignal) => {
        const headers = { authorization: `Bearer ${await getToken(limit)}`, 'content-type': 'application/json' }
        const request = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
        return fetch(address + path, { headers, ...request, signal: limit })
      }
      return schema.parse(JSON.parse(await askUntilAnswered({ what: path, send, signal: callSignal }, serverErrors)))
    },
    async put({ url, contentType, bytes }, putSignal) {
      const send = (limit: AbortSignal) =>
        fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body: bytes, signal: limit })
      await askUntilAnswered({ what: 'PUT', send, signal: putSignal, timeoutMs: PUT_TIMEOUT_MS }, serverErrors)
    },
  }
}

/** @returns what hands out a token that is still good for a while */
async function signUp(address: string, signal: AbortSignal): Promise<(limit: AbortSignal) => Promise<string>> {
  const body = new URLSearchParams({ email_address: `${crypto.randomUUID()}@example.com`, password: PASSWORD })
  const response = await fetch(`${address}/__clerk/v1/client/sign_ups`, { method: 'POST', body, signal })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const sessionId = SignedUp.parse(await response.json()).response.created_session_id
  const request = { method: 'POST', headers: { cookie: cookies.join('; ') } }
  let token = { jwt: '', mintedMs: 0 }
  return async (limit) => {
    if (Date.now() - token.mintedMs > TOKEN_AGE_MS) {
      const url = `${address}/__clerk/v1/client/sessions/${sessionId}/tokens/api`
      const minted = await fetch(url, { ...request, signal: limit })
      token = { jwt: Minted.parse(await minted.json()).jwt, mintedMs: Date.now() }
    }
    return token.jwt
  }
}

async function askUntilAnswered(attempts: Attempts, serverErrors: string[]): Promise<string> {
  const { what, send, signal, timeoutMs = REQUEST_TIMEOUT_MS } = attempts
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask(send, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    if (answer !== null && answer.status < 400) return answer.text
    if (answer !== null && answer.status < 500) throw new Error(`${what}: ${answer.status} ${answer.text}`)
    if (answer !== null) serverErrors.push(`${what}: ${answer.status} ${answer.text}`)
    await sleep(RETRY_MS)
  }
}

/** @returns null when no whole answer came: the worker was killed, or is not up again */
async function ask(send: Attempts['send'], limit: AbortSignal): Promise<{ status: number; text: string } | null> {
  try {
    const response = await send(limit)
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (error instanceof TypeError || limit.aborted) return null
    throw error
  }
}
