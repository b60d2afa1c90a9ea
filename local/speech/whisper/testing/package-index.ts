import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ANSWERED_BY_NODE, type NodeCall, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import type { LockedFile } from '../wheel-lock.ts'

/** How an index misbehaves with a file, by the count of its requests for it; null where it does not. */
type Fault = (request: number, name: string) => 'cut' | 'hang' | 'missing' | 'other' | 'whole' | null

export interface PackageIndex {
  indexUrl: string
  /** Each request for a file, with the first byte that it asked for. */
  requests: { name: string; from: number }[]
  /** How often a list of files was asked for. */
  readonly listed: number
  setFault(fault: Fault): void
  close(): Promise<void>
}

/** Serves packages on loopback as PyPI does, in its JSON or its HTML form, with the faults that a test sets. */
export async function openPackageIndex(
  files: Map<string, Buffer>,
  form: 'json' | 'html' = 'json',
): Promise<PackageIndex> {
  let fault: Fault = () => null
  const requests: PackageIndex['requests'] = []
  let listed = 0
  const { origin, close } = await serveOnFreePort((request, { outgoing }) => {
    const path = new URL(request.url).pathname
    if (path.startsWith('/simple/')) {
      listed += 1
      return listFiles([...files.keys()], form)
    }
    const name = path.slice('/files/'.length)
    const body = files.get(name)
    if (body === undefined) return new Response(null, { status: 404 })
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.get('range') ?? '')?.[1] ?? 0)
    requests.push({ name, from })
    const isNth = requests.filter((each) => each.name === name).length
    return answer(outgoing, { body, from, fault: fault(isNth, name) })
  })
  return {
    indexUrl: `${origin}/simple`,
    requests,
    get listed() {
      return listed
    },
    setFault: (wanted) => {
      fault = wanted
    },
    close,
  }
}

function listFiles(names: string[], form: 'json' | 'html'): Response {
  if (form === 'html') {
    const links = names.map((name) => `<a href="../../files/${name}#sha256=${'0'.repeat(64)}">${name}</a><br>`)
    return new Response(`<!DOCTYPE html><body>${links.join('\n')}</body>`, { headers: { 'content-type': 'text/html' } })
  }
  const listed = names.map((filename) => ({ filename, url: `../../files/${filename}`, hashes: {} }))
  return Response.json({ files: listed }, { headers: { 'content-type': 'application/vnd.pypi.simple.v1+json' } })
}

interface Answer {
  body: Buffer
  from: number
  fault: ReturnType<Fault>
}

function answer(outgoing: NodeCall['outgoing'], { body, from, fault }: Answer): Response {
  if (fault === 'missing') return new Response(null, { status: 404 })
  if (fault === 'other') return new Response(new Uint8Array(body.length))
  // A server that knows no ranges.
  if (fault === 'whole') return new Response(new Uint8Array(body))
  const rest = new Uint8Array(body.subarray(from))
  const status = from > 0 ? 206 : 200
  if (fault === null) return new Response(rest, { status })
  outgoing.writeHead(status, { 'content-length': rest.length })
  outgoing.write(rest.subarray(0, Math.ceil(rest.length / 2)), () => {
    if (fault === 'cut') setTimeout(() => outgoing.destroy(), 50)
  })
  return ANSWERED_BY_NODE
}

/** A file of a package, as a lock names it. */
export function lockFile(name: string, body: Buffer): LockedFile {
  return { name, project: name.split('-')[0] ?? '', sha256: hashOf(body), sizeBytes: body.length }
}

export function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

/** A ZIP file, which wheels are, with its members as they are. */
export function makeZip(members: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(members)) {
    const [name, body] = [Buffer.from(path), Buffer.from(content)]
    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(crc32(body), 0)
    sizes.writeUInt32LE(body.length, 4)
    sizes.writeUInt32LE(body.length, 8)
    sizes.writeUInt16LE(name.length, 12)
    // Signature, version, flags, method "stored", and a date.
    const local = Buffer.from('504b0304140000000000000021'.padEnd(28, '0'), 'hex')
    const central = Buffer.concat([Buffer.from('504b01021400', 'hex'), local.subarray(4), sizes, Buffer.alloc(14)])
    central.writeUInt32LE(offset, 42)
    parts.push(local, sizes, name, body)
    directory.push(central, name)
    offset += local.length + sizes.length + name.length + body.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(members).length, 8)
  end.writeUInt16LE(Object.keys(members).length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
