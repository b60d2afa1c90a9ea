import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { NO_QUOTAS } from '#local/start/worker-vars.ts'
import type { Sent } from '#worker/routes/testing/fuzz/cases.ts'
import type { Answered } from '#worker/routes/testing/fuzz/judge.ts'
import type { Target } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import type { World } from '#worker/routes/testing/fuzz/world.ts'
import { serveProduct } from '../../bench/serve.ts'

const GIVE_UP_MS = 60_000

const DROPPED = /^(?:ECONNRESET|EPIPE)\b/

/**
 * The development server hands requests on to the worker over connections of its own. When one of them ends it answers
 * with 500 and this message, in place of the worker, whose every answer carries the id of its request.
 */
const DROPPED_BEHIND = /\bNetwork connection lost\b/

function wasDropped({ status, headers, text: said }: Answered): boolean {
  if (status === 0) return DROPPED.test(said)
  return status === 500 && !headers.has('x-request-id') && DROPPED_BEHIND.test(said)
}

/**
 * Sends a request as it stands: `fetch` would normalise paths and refuse headers that a server gets all the same. A connection
 * that ends without an answer, also when it is opened again, is an answer with status 0, or what the server says of it.
 */
export async function sendRaw(url: string, agent: Agent, sent: Sent): Promise<Answered> {
  const answer = await sendOnce(url, agent, sent)
  // The server closes idle connections, and those whose body it did not wait for, while the next request is on its way.
  return wasDropped(answer) ? sendOnce(url, false, sent) : answer
}

async function sendOnce(url: string, agent: Agent | false, { method, target, headers, body }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(url)
  const startedMs = performance.now()
  const note = (status: number, all: NodeJS.Dict<string[]>, said: string) => {
    const pairs = Object.entries(all).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return { status, headers: new Headers(pairs), text: said, tookMs: performance.now() - startedMs }
  }
  const length = body === null ? {} : { 'content-length': String(body.byteLength) }
  const all = { ...Object.fromEntries(headers), ...length }
  const sending = request({ hostname, port, agent, method, path: target, headers: all, timeout: GIVE_UP_MS })
  sending.on('timeout', () => sending.destroy(new Error(`no answer to ${method} ${target} within ${GIVE_UP_MS} ms`)))
  // What ends an answer that has begun is an error of the answer as well.
  sending.on('error', () => {})
  sending.end(body ?? undefined)
  try {
    const begun = await Promise.race([once(sending, 'response'), once(sending, 'upgrade')])
    const [answer, socket] = begun as [IncomingMessage, Socket?]
    // A socket that was opened is closed again; what the server does with it from now on is no part of the answer.
    socket?.on('error', () => {}).destroy()
    return note(answer.statusCode ?? 0, answer.headersDistinct, socket === undefined ? await text(answer) : '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return note(0, {}, code === undefined ? message : `${code}: ${message}`)
  }
}

export interface OpenTarget extends Target {
  close(): Promise<void>
}

/** No quota of a day ends a run before its cases are through; where more than a minute's is asked, 429 is an answer. */
const VARS = { CLERK_ISSUER: 'http://localhost:8787/__clerk', ...NO_QUOTAS }

export async function openTarget(): Promise<OpenTarget> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'adapt-fuzz-'))
  process.once('exit', () => rmSync(stateFolder, { recursive: true, force: true }))
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder, vars: VARS })
  const agent = new Agent({ keepAlive: true })
  const send = (sent: Sent) => sendRaw(worker.url, agent, sent)
  const ask = async (method: string, path: string): Promise<unknown> => {
    const answer = await send({ method, target: path, headers: [], body: null })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return JSON.parse(answer.text)
  }
  return {
    plant: async () => (await ask('POST', '/api/fuzz/plant')) as World,
    checkTables: async () => (await ask('GET', '/api/fuzz/tables')) as string[],
    send,
    async close() {
      agent.destroy()
      await worker.stop()
    },
  }
}
