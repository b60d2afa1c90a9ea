import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'

/** What arrived at the server. */
interface Asked {
  /** Such as `POST /api/upload/complete`. */
  line: string
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
}

/** Answers before Adapt does, where it answers at all. */
export type Fault = (asked: Asked) => Answer | undefined

const DONE: Answer = { json: { success: true } }
const RUN = {
  run: 1,
  trigger: 'upload',
  startedAt: '2026-11-29T00:00:00.000Z',
  admittedAt: null,
  endedAt: '2026-11-29T00:00:09.000Z',
  outcome: 'ready',
  failureCode: null,
  audio: { done: 1, total: 1, tries: 1, mostTries: 1, busy: 0, lastTranscribedAt: null },
  steps: { done: 1, total: 1, tries: 1, mostTries: 1, busy: 0, drafts: 0 },
}
const MODULE = {
  id: 'm1',
  title: 'Smoke',
  userId: 'user_1',
  status: 'READY',
  runStatus: 'READY',
  stepsCount: 1,
  questionsCount: 0,
  feedbacksCount: 0,
  createdAt: '',
  updatedAt: '',
  progress: 100,
  message: '',
  lastError: null,
  isStuck: false,
  needsAttention: false,
  mayRetry: true,
  trainingUrl: '',
}

const HEALTH = {
  success: true,
  postgres: 'ok',
  s3: 'ok',
  qstash: 'ok',
  d1: 'ok',
  r2: 'ok',
  queues: 'ok',
  ai: 'ok',
  durableObjects: 'ok',
  speechPreparation: null,
  environment: 'test',
  uptime: 1,
  version: '',
  release: '',
}

/** What `/api/debug/modules/{id}` answers of one run, or of none yet. */
export function timelineOf(run: object | null): Answer {
  return { json: { success: true, module: MODULE, runs: run === null ? [] : [{ ...RUN, ...run }] } }
}

/** Adapt as the smoke checks see it, as far as they ask, on this machine; it does what it should but for the fault. */
export class FakeAdapt {
  origin = ''
  /** Whether the room sends what happens. */
  sendsEvents = true
  readonly asked: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #stored = new Set<string>()
  readonly #seen = new Set<string>()
  #isShared = true
  #modules = 0
  #sizeBytes = 0
  #isComplete = false
  #seq = 2

  constructor(fault: Fault = () => undefined) {
    this.#server = createServer(async (request, response) => {
      const line = `${request.method} ${request.url?.replace(/\?.*/, '')}`
      const asked = { line, headers: request.headers, body: await buffer(request) }
      this.asked.push(line)
      const { status = 200, headers = {}, json = {} } = fault(asked) ?? this.#answer(asked)
      const body = status === 204 || request.method === 'HEAD' ? undefined : JSON.stringify(json)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
    this.#server.on('upgrade', ({ headers, url = '' }, socket: Socket) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
      socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'))
      socket.on('error', () => undefined)
      this.#sockets.add(socket)
      const cursor = Number(new URL(url, 'http://x').searchParams.get('cursor'))
      for (let seq = cursor + 1; seq <= this.#seq; seq += 1) sendEvent(socket, seq)
    })
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.dropSockets()
    this.#server.close()
  }

  dropSockets(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #answer({ line, headers, body }: Asked): Answer {
    const [method = '', path = ''] = line.split(' ')
    if (path.startsWith('/bucket/')) return this.#put(path, headers)
    if (path.startsWith('/share/')) return this.#share(method, path, headers)
    const json = method === 'POST' && body.length > 0 ? (JSON.parse(String(body)) as Record<string, unknown>) : {}
    const urlsOf = (numbers: number[]) => ({
      json: { success: true, urls: numbers.map((number) => ({ number, url: `${this.origin}/bucket/part${number}` })) },
    })
    switch (path.replace(/\bm\d+\b/, 'ID').replace(/\/\d+$/, '/N')) {
      case '/api/presigned-upload/presigned-url': {
        this.#modules += 1
        this.#isComplete = false
        this.#sizeBytes = Number(json['sizeBytes'])
        const plan = { partBytes: UPLOAD_PART_BYTES, partCount: Math.ceil(this.#sizeBytes / UPLOAD_PART_BYTES) }
        const id = this.#modules
        const place = { uploadUrl: `${this.origin}/bucket/${id}`, key: `k${id}`, moduleId: `m${id}` }
        return { json: { success: true, ...place, ...(json['multipart'] ? { multipart: plan } : {}) } }
      }
      case '/api/upload/ID/part-urls':
        return urlsOf([1, 2])
      case '/api/upload/ID/audio-urls':
        return urlsOf([0])
      case '/api/upload/complete':
        this.#isComplete = true
        return { json: { success: true, moduleId: 'm1', trainingUrl: '/' } }
      case '/api/debug/modules/ID':
        return timelineOf({})
      case '/api/modules/ID/live-ticket':
        return { json: { success: true, ticket: 't', expiresAt: '' } }
      case '/api/modules/ID':
        if (method === 'PATCH') this.#isShared = (JSON.parse(String(body)) as { shared: boolean }).shared
        return DONE
      case '/api/reprocess/ID':
        this.#seq += 1
        if (this.sendsEvents) for (const socket of this.#sockets) sendEvent(socket, this.#seq)
        return DONE
      case '/api/account':
        return { json: { success: true, isDone: true, modulesLeft: 0, removedBy: '' } }
      case '/api/health':
        return { json: HEALTH }
      default:
        return DONE
    }
  }

  #put(path: string, headers: Asked['headers']): Answer {
    if (path.includes('part') && this.#isComplete) return { status: 404 }
    if (this.#stored.has(path) && headers['if-none-match'] === '*' && !path.includes('part')) return { status: 412 }
    this.#stored.add(path)
    return { headers: { etag: '"e"', 'access-control-expose-headers': 'ETag' } }
  }

  #share(method: string, path: string, headers: Asked['headers']): Answer {
    if (!this.#isShared) return { status: 404 }
    const edge = this.#seen.has(path) ? 'HIT' : 'MISS'
    this.#seen.add(path)
    if (method === 'HEAD') return { headers: { 'content-length': String(this.#sizeBytes) } }
    const isRange = path.endsWith('/video') && headers['range'] !== undefined
    return { status: isRange ? 206 : 200, headers: { 'x-adapt-edge': edge } }
  }
}

/** A frame of text, as servers send it. */
function sendEvent(socket: Socket, seq: number): void {
  const state = { status: 'READY', progress: 100, message: '', stepsVersion: 1, segmentCount: 1 }
  const text = Buffer.from(JSON.stringify({ kind: 'module', seq, ...state }))
  const head = text.length < 126 ? [0x81, text.length] : [0x81, 126, text.length >> 8, text.length & 255]
  socket.write(Buffer.concat([Buffer.from(head), text]))
}
