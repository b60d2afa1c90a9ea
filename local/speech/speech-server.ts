import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { TURN_HEADER } from '#worker/adapters/openai-compatible/openai-models.ts'
import { pocketsphinx } from './prepare-recogniser.ts'
import type { Readiness, Recogniser } from './recogniser.ts'

/** Who waits, and for how long. */
interface Waiting {
  signal: AbortSignal
  /** Those of different turns are served in turn; all have the same where it is left out. */
  turn?: string | undefined
}

/** A fixed number of places; a task that comes when all are taken waits in line. */
interface Places {
  /**
   * Runs the task when a place is free: those of one turn first come first served, turns one after the other. An abort
   * while waiting leaves the line at once and throws the signal's reason; after that the task itself watches the signal.
   * @throws {HTTPException} 429 `line_full` at once, instead of making a line longer than it may be
   */
  use<T>(task: () => Promise<T>, waiting: Waiting): Promise<T>
}

/**
 * Opens `count` places, with a line of so many at most before them. p-queue frees the place of an aborted task while that
 * still works, and knows no turns.
 */
export function openPlaces(count: number, longestLine = Number.POSITIVE_INFINITY): Places {
  let free = count
  /** Those who wait, by turn; the turn that was served last stands last. */
  const turns = new Map<string, Set<() => void>>()

  function leave(turn: string, enter: () => void): void {
    const line = turns.get(turn)
    line?.delete(enter)
    if (line?.size === 0) turns.delete(turn)
  }

  async function take({ signal, turn = '' }: Waiting): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const length = [...turns.values()].reduce((sum, line) => sum + line.size, 0)
    if (length >= longestLine) throw refusal(429, 'line_full', 'Too many requests are waiting already.')
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      leave(turn, enter)
      reject(signal.reason)
    }
    turns.set(turn, (turns.get(turn) ?? new Set()).add(enter))
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  function release(): void {
    const [next] = turns
    const [enter] = next?.[1] ?? []
    if (next === undefined || enter === undefined) {
      free += 1
      return
    }
    const [turn, line] = next
    turns.delete(turn)
    line.delete(enter)
    if (line.size > 0) turns.set(turn, line)
    enter()
  }

  return {
    async use(task, waiting) {
      await take(waiting)
      return task().finally(release)
    },
  }
}

/** A request that cannot be served, with the code that OpenAI's API has for it. */
function refusal(status: 400 | 404 | 413 | 429 | 500 | 503, code: string, message: string): HTTPException {
  return new HTTPException(status, { message, cause: code })
}

const FORMATS = ['json', 'text', 'verbose_json']

/** OpenAI takes 25 MB of audio; the form around it and a little air on top. */
export const LARGEST_BODY_BYTES = 30_000_000

/** A field that is a text; null where it is left out or empty. */
function readText(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Reads a transcription request. `model` and `temperature` are accepted and ignored.
 * @throws {HTTPException} 400 `not_multipart`, `file_missing` or `format_unknown`
 */
async function readForm({ req }: Context) {
  const isMultipart = req.header('content-type')?.toLowerCase().startsWith('multipart/form-data')
  const form = isMultipart ? await req.formData().catch(() => null) : null
  if (form === null) throw refusal(400, 'not_multipart', 'The body must be multipart/form-data.')
  const file = form.get('file')
  if (!(file instanceof File)) throw refusal(400, 'file_missing', 'The form has no file named "file".')
  const format = form.get('response_format') ?? 'json'
  if (typeof format !== 'string' || !FORMATS.includes(format)) {
    throw refusal(400, 'format_unknown', `response_format must be one of ${FORMATS.join(', ')}.`)
  }
  const granularities = [...form.getAll('timestamp_granularities[]'), ...form.getAll('timestamp_granularities')]
  const audio = new Uint8Array(await file.arrayBuffer())
  // Words with their times are answered only when they are asked for, as OpenAI does.
  const hints = { language: readText(form, 'language'), prompt: readText(form, 'prompt') }
  return { audio, format, ...hints, wantsWords: granularities.includes('word') }
}

export interface SpeechServerOptions {
  /** An existing folder for temporary files. */
  workDir: string
  /** Any free one where left out. */
  port?: number
  /** Gets what failed for a reason of our own. */
  onFailure: (error: unknown) => void
  /** How many recognitions run at once; as many as the recogniser can unless a test needs to know. */
  atOnce?: number
  /** Whether the recogniser is ready; pocketsphinx, which always is, where left out. */
  readiness?: () => Readiness
  /** How many requests may wait; see `LONGEST_LINE`. */
  longestLine?: number
}

export interface SpeechServer {
  /** What goes into SPEECH_BASE_URL. */
  baseUrl: string
  /** Kills the recognitions at work, answers what waits, and stops listening. */
  close(): Promise<void>
}

/**
 * The worker sends up to 60 chunks at once, and all of them may wait: to send one away only brings it back at the end
 * of the line. Far beyond that something else is wrong, and every request in line holds its audio in memory.
 */
const LONGEST_LINE = 240
const RETRY_AFTER_S: Record<string, string> = {
  // Four chunks of half a minute on each core, so some of the line is gone then.
  line_full: '30',
  // The larger part of a preparation takes longer; its end is soon noticed.
  recogniser_preparing: '5',
}

/** @throws {HTTPException} 503 `recogniser_preparing` or `recogniser_missing` */
function getRecogniser(readiness: Readiness): Recogniser {
  if (readiness.state === 'ready') return readiness.recogniser
  if (readiness.state === 'missing') throw refusal(503, 'recogniser_missing', readiness.reason)
  throw refusal(503, 'recogniser_preparing', 'Speech recognition is being prepared.')
}

/** What a client asks for its models also learns how far the preparation is. */
function listModels(readiness: Readiness) {
  if (readiness.state === 'missing') return { object: 'list', data: [], missing: readiness.reason }
  if (readiness.state === 'preparing') {
    const { doneBytes, totalBytes } = readiness
    return { object: 'list', data: [], preparing: { doneBytes, totalBytes } }
  }
  const { model: id, ownedBy } = readiness.recogniser
  return { object: 'list', data: [{ id, object: 'model', created: 0, owned_by: ownedBy }] }
}

function openApi(options: SpeechServerOptions) {
  const { workDir, onFailure, longestLine = LONGEST_LINE } = options
  const ready: Readiness = { state: 'ready', recogniser: pocketsphinx(workDir) }
  const readiness = options.readiness ?? (() => ready)
  // One line for each recogniser: Whisper may take the place of pocketsphinx.
  const lines = new WeakMap<Recogniser, Places>()
  const lineOf = (recogniser: Recogniser) => {
    const line = lines.get(recogniser) ?? openPlaces(options.atOnce ?? recogniser.atOnce, longestLine)
    lines.set(recogniser, line)
    return line
  }
  const onError = () => {
    throw refusal(413, 'body_too_large', `The body is over ${LARGEST_BODY_BYTES} bytes.`)
  }
  return new Hono<{ Bindings: { signal: AbortSignal } }>()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/v1/models', (c) => c.json(listModels(readiness())))
    .post('/v1/audio/transcriptions', bodyLimit({ maxSize: LARGEST_BODY_BYTES, onError }), async (c) => {
      const { signal } = c.env
      const recogniser = getRecogniser(readiness())
      const { format, wantsWords, ...audio } = await readForm(c)
      const transcribe = () => recogniser.transcribe({ ...audio, signal })
      const { words, ...spoken } = await lineOf(recogniser).use(transcribe, { signal, turn: c.req.header(TURN_HEADER) })
      if (format === 'text') return c.text(`${spoken.text}\n`)
      if (format === 'json') return c.json({ text: spoken.text })
      return c.json(wantsWords ? { ...spoken, words } : spoken)
    })
    .notFound((c) => {
      throw refusal(404, 'unknown_url', `There is no ${c.req.method} ${c.req.path} here.`)
    })
    .onError((error, c) => {
      const isKnown = error instanceof HTTPException
      if (!isKnown) onFailure(error)
      const { status, message, cause: code } = isKnown ? error : INTERNAL
      const retryAfterS = RETRY_AFTER_S[String(code)]
      if (retryAfterS !== undefined) c.header('retry-after', retryAfterS)
      const type = status < 500 ? 'invalid_request_error' : 'server_error'
      return c.json({ error: { message, type, param: null, code } }, status)
    })
}

const INTERNAL = refusal(500, 'internal', 'The recogniser failed; the log says why.')
/** Stops the work on a request; no client is there to read it. */
const CLIENT_GONE = refusal(400, 'client_gone', 'The client went away.')

/**
 * Starts a server on a port of this machine that speaks the transcription part of OpenAI's API over a recogniser of
 * this machine. As many transcriptions run at once as it can, the rest wait in line, those of different videos in
 * turn; a client that goes away frees its place.
 */
export async function startSpeechServer(options: SpeechServerOptions): Promise<SpeechServer> {
  const api = openApi(options)
  const atWork = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const { origin, close } = await serveOnFreePort((request) => {
    const clientGone = new AbortController()
    request.signal.addEventListener('abort', () => clientGone.abort(CLIENT_GONE))
    const signal = AbortSignal.any([clientGone.signal, closing.signal])
    const work = Promise.resolve(api.fetch(request, { signal }))
    atWork.add(work)
    void work.finally(() => atWork.delete(work))
    return work
  }, options.port)
  return {
    baseUrl: `${origin}/v1`,
    async close() {
      closing.abort(refusal(503, 'shutting_down', 'The speech server is shutting down.'))
      await Promise.all(atWork)
      await close()
    },
  }
}
