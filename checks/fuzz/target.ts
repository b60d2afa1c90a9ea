import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sent } from '#worker/routes/testing/fuzz/cases.ts'
import type { Answered } from '#worker/routes/testing/fuzz/judge.ts'
import type { Target } from '#worker/routes/testing/fuzz/run-fuzz.ts'
import type { World } from '#worker/routes/testing/fuzz/world.ts'
import { serveProduct } from '../../bench/serve.ts'

const GIVE_UP_MS = 60_000

const DROPPED = /^(?:ECONNRESET|EPIPE)\b/

/**
 * Sends a request as it stands: `fetch` would normalise paths and refuse headers that a server gets all the same. A connection
 * that ends without an answer, also when it is opened again, is an answer with status 0.
 */
export async function sendRaw(url: string, agent: Agent, sent: Sent): Promise<Answered> {
  const answer = await sendOnce(url, agent, sent)
  // The server closes idle connections, and those whose body it did not wait for, while the next request is on its way.
  return answer.status === 0 && DROPPED.test(answer.text) ? sendOnce(url, false, sent) : answer
}

function sendOnce(url: string, agent: Agent | false, { method, target, headers, body }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(url)
  const startedMs = performance.now()
  const { promise, resolve } = Promise.withResolvers<Answered>()
  const giveUp = (error: NodeJS.ErrnoException) => {
    resolve({ status: 0, headers: new Headers(), text: describeDrop(error), tookMs: performance.now() - startedMs })
  }
  const length = body === null ? {} : { 'content-length': String(body.byteLength) }
  const sending = request({
    hostname,
    port,
    agent,
    method,
    path: target,
    headers: { ...Object.fromEntries(headers), ...length },
    timeout: GIVE_UP_MS,
  })
  sending.on('response', (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', giveUp)
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const tookMs = performance.now() - startedMs
      resolve({ status: answer.statusCode ?? 0, headers: readHeaders(answer.headersDistinct), text, tookMs })
    })
  })
  // A socket that was opened is closed again.
  sending.on('upgrade', (answer, socket) => {
    // What the server does with it from now on is no part of the answer.
    socket.on('error', () => {})
    socket.destroy()
    const tookMs = performance.now() - startedMs
    resolve({ status: answer.statusCode ?? 0, headers: readHeaders(answer.headersDistinct), text: '', tookMs })
  })
  sending.on('timeout', () => sending.destroy(new Error(`no answer to ${method} ${target} within ${GIVE_UP_MS} ms`)))
  sending.on('error', giveUp)
  sending.end(body ?? undefined)
  return promise
}

function describeDrop(error: NodeJS.ErrnoException): string {
  return error.code === undefined ? error.message : `${error.code}: ${error.message}`
}

function readHeaders(distinct: NodeJS.Dict<string[]>): Headers {
  return new Headers(
    Object.entries(distinct).flatMap(([name, all]) => (all ?? []).map((value): [string, string] => [name, value])),
  )
}

export interface OpenTarget extends Target {
  close(): Promise<void>
}

/** No quota of a day ends a run before its cases are through; where more than a minute's is asked, 429 is an answer. */
const VARS = {
  CLERK_ISSUER: 'http://localhost:8787/__clerk',
  USER_MODULES_PER_DAY: '',
  USER_MINUTES_PER_DAY: '',
  USER_AI_USD_PER_DAY: '',
  TOTAL_AI_USD_PER_DAY: '',
  USER_WRITTEN_ROWS_PER_DAY: '',
  USER_UPLOAD_BYTES_PER_DAY: '',
}
/** Nothing is built; of the site the worker itself reads only the share page's frame. */
const ASSETS = join(import.meta.dirname, '../../web')

/** Starts the whole system on a fresh state. */
export async function openTarget(): Promise<OpenTarget> {
  const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-fuzz-'))
  const forget = () => rm(stateFolder, { recursive: true, force: true })
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const worker = await serveProduct({ entrypoint, stateFolder, assets: ASSETS, vars: VARS }).catch(
    async (error: unknown) => {
      await forget()
      throw error
    },
  )
  const agent = new Agent({ keepAlive: true })
  const send = (sent: Sent) => sendRaw(worker.url, agent, sent)
  const ask = async (method: string, path: string): Promise<unknown> => {
    const { status, text } = await send({ method, target: path, headers: [], body: null })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    plant: async () => (await ask('POST', '/api/fuzz/plant')) as World,
    checkTables: async () => (await ask('GET', '/api/fuzz/tables')) as string[],
    send,
    async close() {
      agent.destroy()
      await worker.stop()
      await forget()
    },
  }
}
