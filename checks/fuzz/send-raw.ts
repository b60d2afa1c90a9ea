import { type Agent, request } from 'node:http'
import type { Sent } from '#worker/routes/testing/fuzz/cases.ts'
import type { Answered } from '#worker/routes/testing/fuzz/judge.ts'

const GIVE_UP_MS = 60_000

const DROPPED = /^(?:ECONNRESET|EPIPE)\b/

/**
 * Sends a request as it stands: `fetch` would mend paths and refuse headers that a server gets all the same. A connection
 * that ends without an answer, also when it is opened anew, is an answer with status 0.
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
    resolve({ status: 0, headers: new Headers(), text: tellDrop(error), tookMs: performance.now() - startedMs })
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

function tellDrop(error: NodeJS.ErrnoException): string {
  return error.code === undefined ? error.message : `${error.code}: ${error.message}`
}

function readHeaders(distinct: NodeJS.Dict<string[]>): Headers {
  return new Headers(
    Object.entries(distinct).flatMap(([name, all]) => (all ?? []).map((value): [string, string] => [name, value])),
  )
}
