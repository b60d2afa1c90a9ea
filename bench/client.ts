import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'

interface Answer {
  status: number
  contentType: string
  text: string
}

export interface Call {
  method?: string
  path: string
  /** A token. */
  as?: string
  json?: unknown
  body?: { bytes: Uint8Array; contentType: string }
  headers?: Record<string, string>
}

/** Calls a worker over connections that stay open. */
export interface Caller {
  call(what: Call): Promise<Answer>
  /** @returns what JSON says, or the text of anything else @throws when it is no success */
  ask<Said = unknown>(what: Call): Promise<Said>
  close(): void
}

const GIVE_UP_MS = 60_000

export function openCaller(url: string, connections: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = async ({ method, path, as, json, body, headers }: Call) => {
    const content = body?.bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)))
    const sending = request(url + path, {
      agent,
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      timeout: GIVE_UP_MS,
      headers: {
        ...headers,
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(content === undefined ? {} : { 'content-type': body?.contentType ?? 'application/json' }),
        ...(content === undefined ? {} : { 'content-length': content.byteLength }),
      },
    })
    sending.on('timeout', () => sending.destroy(new Error(`no answer from ${path}`)))
    // An error after the answer has begun is one of reading its text, too.
    sending.on('error', () => {})
    sending.end(content)
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.statusCode ?? 0, contentType, text: await readText(answer) }
  }
  return {
    call,
    async ask(what) {
      const { status, contentType, text } = await call(what)
      if (status !== 200) throw new Error(`${what.path} answered ${status}: ${text.slice(0, 200)}`)
      return contentType.startsWith('application/json') ? JSON.parse(text) : text
    },
    close: () => agent.destroy(),
  }
}

/** @returns the socket once it is open */
export async function openSocket(...address: ConstructorParameters<typeof WebSocket>): Promise<WebSocket> {
  const socket = new WebSocket(...address)
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  socket.addEventListener('open', () => resolve(socket))
  socket.addEventListener('error', () => reject(new Error('a socket was not opened')))
  return promise
}

/**
 * A WebSocket whose events are not read and that offers no compression: a deployed worker takes none
 * (`compatibility_flags`), but the proxy in front of a local one would, at a millisecond of its own for each socket.
 * @returns the connection once it is open
 */
export async function openPlainSocket(address: string): Promise<Socket> {
  const key = randomBytes(16).toString('base64')
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  const headers = { ...upgrade, 'sec-websocket-version': '13', 'sec-websocket-key': key }
  const opening = request(address, { headers, timeout: GIVE_UP_MS })
  opening.on('response', ({ statusCode }) => opening.destroy(new Error(`a socket was answered ${statusCode}`)))
  opening.end()
  const [, socket] = (await once(opening, 'upgrade')) as [IncomingMessage, Socket]
  return socket
}
