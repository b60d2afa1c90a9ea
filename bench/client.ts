import { Agent, request } from 'node:http'

interface Answer {
  status: number
  text: string
}

export interface Call {
  method?: string
  /** Path of the worker, or the presigned address of an object. */
  path: string
  as?: string
  json?: unknown
  body?: { bytes: Uint8Array; contentType: string; host: string }
  headers?: Record<string, string>
}

/** Calls a worker over connections that stay open. */
export interface Caller {
  call(what: Call): Promise<Answer>
  /** @throws when it is no success */
  ask(what: Call): Promise<string>
  close(): void
}

const GIVE_UP_MS = 60_000

export function openCaller(url: string, connections: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const call = ({ method, path, as, json, body, headers = {} }: Call) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const content = body?.bytes ?? (json === undefined ? null : Buffer.from(JSON.stringify(json)))
    const sending = request({
      agent,
      hostname,
      port,
      path,
      method: method ?? (content === null ? 'GET' : 'POST'),
      timeout: GIVE_UP_MS,
      headers: {
        ...headers,
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined ? {} : { 'content-type': body.contentType, host: body.host }),
        ...(content === null ? {} : { 'content-length': String(content.byteLength) }),
      },
    })
    sending.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    sending.on('timeout', () => sending.destroy(new Error(`no answer from ${path}`)))
    sending.on('error', reject)
    sending.end(content ?? undefined)
    return promise
  }
  return {
    call,
    async ask(what) {
      const { status, text } = await call(what)
      if (status !== 200) throw new Error(`${what.path} answered ${status}: ${text.slice(0, 200)}`)
      return text
    },
    close: () => agent.destroy(),
  }
}

/** @returns the socket once it is open */
export function openSocket(...address: ConstructorParameters<typeof WebSocket>): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(...address)
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', () => reject(new Error('a socket was not opened')))
  })
}
