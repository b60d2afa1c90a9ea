import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { ANSWERED_BY_NODE, type NodeCall, serveOnFreePort } from '#local/http/serve-on-free-port.ts'

export interface SeenRequest {
  path: string
  headers: Headers
  body: Buffer<ArrayBuffer>
}

/** What a server does with a request that has arrived whole. */
export type Answer = (response: NodeCall['outgoing']) => unknown

export interface OpenServer {
  /** With its version, as it is configured. */
  baseUrl: string
  requests: SeenRequest[]
  /** Requests whose client has gone before they were answered. */
  left: () => number
}

/** A real server that gives its answers one after the other, and the last again and again; closed with the test. */
export async function openServer(...answers: Answer[]): Promise<OpenServer> {
  const requests: SeenRequest[] = []
  let left = 0
  const { origin, close } = await serveOnFreePort(async (request, { outgoing }) => {
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) left++
    })
    const body = Buffer.from(await request.arrayBuffer())
    requests.push({ path: new URL(request.url).pathname, headers: request.headers, body })
    await answers[Math.min(requests.length, answers.length) - 1]?.(outgoing)
    return ANSWERED_BY_NODE
  })
  onTestFinished(close)
  return { baseUrl: `${origin}/v1`, requests, left: () => left }
}

/** The fields of a multipart request, as a server sees them. */
export function formOf({ headers, body }: SeenRequest): Promise<FormData> {
  return new Response(body, { headers }).formData()
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function html(status: number): Answer {
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><center>nginx</center></body></html>`
  return (response) => response.writeHead(status, { 'content-type': 'text/html' }).end(page)
}

/** Accepts the request and never answers. */
export const hang: Answer = () => undefined

/** Ends the connection without a word. */
export const hangUp: Answer = (response) => response.destroy()

/** Ends the connection in the middle of an answer that declares its full length. */
export function breakOff(text: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  }
}

/** Sends an answer a few bytes at a time; bytes of one character come apart. */
export function drip(text: string, { everyMs, bytes }: { everyMs: number; bytes: number }): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const all = Buffer.from(text)
    for (let at = 0; at < all.length && !response.destroyed; at += bytes) {
      response.write(all.subarray(at, at + bytes))
      await wait(everyMs)
    }
    response.end()
  }
}

/** Sends blanks, which JSON may begin with, for ever. */
export const flood: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    if (!response.write(' '.repeat(64 * 1024)))
      await Promise.race([wait(20), new Promise((on) => response.once('drain', on))])
  }
}
