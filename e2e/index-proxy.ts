import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import { ANSWERED_BY_NODE, type NodeCall, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { splitCredentials } from '#local/speech/whisper/package-index.ts'

const JSON_TYPE = 'application/vnd.pypi.simple.v1+json'
const Listed = z.looseObject({ files: z.array(z.looseObject({ url: z.string() })) })

/** An index of packages on loopback that passes another one on. The first connection of each larger file breaks. */
export interface IndexProxy {
  indexUrl: string
  /** Each request for a file, with the first byte that it asked for. */
  requests: { name: string; from: number }[]
  /** From now on files whose name contains this come a little at a time, until {@link hurry}. */
  slow(part: string): void
  hurry(): void
  close(): Promise<void>
}

/** So much of a file comes before its first connection ends, as in a network that is gone for a moment. */
const CUT_FROM_BYTES = 1_000_000
/** Between two pieces of a slow file: a download that says nothing for long is given up. */
const SLOW_MS = 500

/** @param upstreamUrl the index whose files are passed on */
export async function openIndexProxy(upstreamUrl: string): Promise<IndexProxy> {
  const requests: IndexProxy['requests'] = []
  const isCut = new Set<string>()
  let slowPart: string | null = null

  async function list(project: string): Promise<Response> {
    const { url, headers } = splitCredentials(`${upstreamUrl}/${project}/`)
    const upstream = await fetch(url, { headers: { ...headers, accept: JSON_TYPE } })
    const page = Listed.parse(await upstream.json())
    const passed = page.files.map((file) => {
      return { ...file, url: `/files/${encodeURIComponent(new URL(file.url, upstream.url).href)}` }
    })
    return Response.json({ ...page, files: passed }, { headers: { 'content-type': JSON_TYPE } })
  }

  async function pass(address: string, request: Request, outgoing: NodeCall['outgoing']): Promise<Response> {
    const name = new URL(address).pathname.split('/').at(-1) ?? ''
    const range = request.headers.get('range')
    requests.push({ name, from: Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) })
    const { url, headers } = splitCredentials(address)
    const upstream = await fetch(url, { headers: { ...headers, ...(range === null ? {} : { range }) } })
    const length = upstream.headers.get('content-length')
    outgoing.writeHead(upstream.status, length === null ? {} : { 'content-length': length })
    let sentBytes = 0
    const pace = async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const bytes of parts) {
        if (slowPart !== null && name.includes(slowPart)) await sleep(SLOW_MS)
        sentBytes += bytes.byteLength
        if (sentBytes > CUT_FROM_BYTES && !isCut.has(name)) {
          isCut.add(name)
          throw new Error('cut')
        }
        yield bytes
      }
    }
    // A pipeline that fails breaks the connection.
    await pipeline(upstream.body as unknown as AsyncIterable<Uint8Array>, pace, outgoing).catch(() =>
      outgoing.destroy(),
    )
    return ANSWERED_BY_NODE
  }

  const app = new Hono<{ Bindings: NodeCall }>()
    .get('/simple/:project/*', (c) => list(c.req.param('project')))
    .get('/files/:address', (c) => pass(c.req.param('address'), c.req.raw, c.env.outgoing))
  const { origin, close } = await serveOnFreePort(app.fetch)
  return {
    indexUrl: `${origin}/simple`,
    requests,
    slow: (part) => {
      slowPart = part
    },
    hurry: () => {
      slowPart = null
    },
    close,
  }
}
