import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { recognise } from './recognise.ts'
import { readSpeechRequest, type SpeechRequest, SpeechRequestError } from './speech-request.ts'
import type { Transcription } from './transcription.ts'

/** A fixed number of places; who comes when all are taken waits in line. */
interface Places {
  /**
   * Runs the task when a place is free, first come first served. An abort while waiting leaves the line at once and
   * throws the signal's reason; after that the task itself watches the signal.
   * @throws {LineFull} at once, instead of making a line longer than it may be
   */
  use<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** The line is as long as it may get. */
export class LineFull extends Error {
  override name = 'LineFull'
}

/**
 * Opens `count` places, with a line of so many at most before them. p-queue frees the place of an aborted task while that
 * still works.
 */
export function openPlaces(count: number, longestLine = Number.POSITIVE_INFINITY): Places {
  let free = count
  const line: (() => void)[] = []

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    if (line.length >= longestLine) throw new LineFull()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(enter), 1)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      line.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function release(): void {
    const next = line.shift()
    if (next) next()
    else free += 1
  }

  return {
    async use(task, signal) {
      await take(signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}

export interface SpeechServerOptions {
  /** 0 takes any free port. */
  port: number
  /** An existing folder for temporary files. */
  workDir: string
  /** How many recognitions run at once; as many as there are cores unless a test needs to know. */
  atOnce?: number
  /** How many requests may wait; see `LONGEST_LINE`. */
  longestLine?: number
}

export interface SpeechServer {
  port: number
  /** What goes into SPEECH_BASE_URL. */
  baseUrl: string
  /** Stops listening and kills the recognitions at work. */
  close(): Promise<void>
}

/** The one model there is; its name in answers of `GET /v1/models`. */
const SPEECH_MODEL = 'pocketsphinx-en-us'

/**
 * The worker sends up to 60 chunks at once, and all of them may wait: to send one away only brings it back at the end
 * of the line. Far beyond that something else is wrong, and every request in line holds its audio in memory.
 */
const LONGEST_LINE = 240
/** Four parts of half a minute on each core, so some of the line is gone then. */
const RETRY_AFTER_S = 30

/**
 * Starts a server on this machine that speaks the transcription part of OpenAI's API over pocketsphinx, an English
 * recogniser. As many recognitions run at once as there are cores, the rest wait in line, first come first served; a
 * client that goes away frees its place.
 */
export async function startSpeechServer(options: SpeechServerOptions): Promise<SpeechServer> {
  const { port, workDir, atOnce = availableParallelism(), longestLine = LONGEST_LINE } = options
  const places = openPlaces(atOnce, longestLine)
  const atWork = new Set<Promise<void>>()
  const closing = new AbortController()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const clientGone = new AbortController()
    response.once('close', () => clientGone.abort())
    const signal = AbortSignal.any([clientGone.signal, closing.signal])
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const route = `${request.method} ${pathname}`
      if (route === 'GET /health') return answer(response, 200, { status: 'ok' })
      if (route === 'GET /v1/models') return answer(response, 200, { object: 'list', data: [MODEL_CARD] })
      if (route !== 'POST /v1/audio/transcriptions') {
        throw new SpeechRequestError(404, 'unknown_url', `There is no ${route} here.`)
      }
      const wanted = await readSpeechRequest(request)
      const transcription = await places.use(() => recognise(wanted.audio, { workDir, signal }), signal)
      answerTranscription(response, wanted, transcription)
    } catch (error) {
      if (!clientGone.signal.aborted) answerError(response, closing.signal.aborted ? closing.signal.reason : error)
      // A client that is still sending reads the answer only when the rest of its body is taken off its hands.
      request.resume()
    }
  }

  const server = createServer((request, response) => {
    const work = serve(request, response)
    atWork.add(work)
    void work.finally(() => atWork.delete(work))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const takenPort = (server.address() as AddressInfo).port
  return {
    port: takenPort,
    baseUrl: `http://127.0.0.1:${takenPort}/v1`,
    async close() {
      closing.abort(new SpeechRequestError(503, 'shutting_down', 'The speech server is shutting down.'))
      await Promise.all(atWork)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const MODEL_CARD = { id: SPEECH_MODEL, object: 'model', created: 0, owned_by: 'cmusphinx' }

function answerTranscription(
  response: ServerResponse,
  { format, wantsWords }: SpeechRequest,
  transcription: Transcription,
) {
  if (format === 'text') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`${transcription.text}\n`)
    return
  }
  const { words, ...withoutWords } = transcription
  if (format === 'json') answer(response, 200, { text: transcription.text })
  else answer(response, 200, wantsWords ? { ...withoutWords, words } : withoutWords)
}

function answerError(response: ServerResponse, error: unknown): void {
  const known = toKnownError(error)
  if (known.code === 'internal') console.error(error)
  if (known.retryAfterS !== null) response.setHeader('retry-after', known.retryAfterS)
  answer(response, known.status, known.toBody())
}

function toKnownError(error: unknown): SpeechRequestError {
  if (error instanceof SpeechRequestError) return error
  if (error instanceof LineFull) {
    return new SpeechRequestError(429, 'line_full', 'Too many requests are waiting already.', RETRY_AFTER_S)
  }
  return new SpeechRequestError(500, 'internal', 'The recogniser failed; the log says why.')
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
