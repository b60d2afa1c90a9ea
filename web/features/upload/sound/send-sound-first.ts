import type { AudioPart } from '#media/audio-part.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import type { FileAnswers } from '../file-worker/messages.ts'
import { runFileTask } from '../file-worker/run-file-task.ts'
import type { SoundFacts, SoundOrder } from './cut-sound.ts'
import { type PutPart, putPart } from './put-part.ts'
import { readElementDurationMs } from './read-element-duration.ts'
import { openSoundUrls } from './sound-urls.ts'
import { openTeller } from './tell-parts.ts'
import { pause, tryAgain, type Wait } from './try-again.ts'

export interface SoundState {
  /** `left_to_server`: there is no sound to send, or something went wrong. The server then cuts the sound itself. */
  phase: 'reading' | 'sending' | 'sent' | 'left_to_server'
  /** Parts that have been reported to the server or are about to be. */
  sentParts: number
  sentBytes: number
  /** About, until the last part has been cut; null at first. */
  partCount: number | null
}

export interface SoundRequest {
  file: File
  /** As `inspectVideo` found it. */
  durationMs: number | null
  moduleId: string
  callApi: CallApi
  /** Ends everything at once. */
  signal: AbortSignal
  onState?: (state: SoundState) => void
  /**
   * Called once, when the line is free for more than a little of the video: the first part is being transcribed,
   * or the sound is left to the server, or {@link HEAD_START_MS} are over.
   */
  onHeadStart?: () => void
}

export interface SoundDeps {
  cut: (order: SoundOrder, signal: AbortSignal) => AsyncGenerator<FileAnswers['sound'], void>
  putPart: PutPart
  /** Length of the file as the browser's own player sees it; null when it cannot play it. */
  readDurationMs: (file: File, signal: AbortSignal) => Promise<number | null>
  wait: Wait
}

const IN_BROWSER: SoundDeps = {
  cut: (order, signal) => runFileTask({ kind: 'sound', ...order }, { signal }),
  putPart,
  readDurationMs: readElementDurationMs,
  wait: pause,
}

/** Ten seconds of sound are 160 KB; with 1 Mbit/s that is this long with some room. */
const HEAD_START_MS = 2_000
/** Browsers open six connections to a host; the video's parts need some of them. */
const LINES = 3
/** With more, the two are not reading the same thing. */
const MAX_DISAGREEMENT_MS = 1_000

/**
 * Sends the sound of a picked video ahead of it, so that it is transcribed while the video uploads. It is only ever a
 * head start: whatever goes wrong ends it silently, and the server cuts the sound out of the video as always. Never
 * rejects.
 */
export async function sendSoundFirst(request: SoundRequest, deps: SoundDeps = IN_BROWSER): Promise<void> {
  let state: SoundState = { phase: 'reading', sentParts: 0, sentBytes: 0, partCount: null }
  const change = (next: Partial<SoundState>) => {
    state = { ...state, ...next }
    request.onState?.(state)
  }
  const endHeadStart = onceOnly(() => request.onHeadStart?.())
  const timer = setTimeout(endHeadStart, HEAD_START_MS)
  try {
    const partCount = await sendAll(request, deps, { change, onFirstHeard: endHeadStart })
    change(partCount === 0 ? { phase: 'left_to_server' } : { phase: 'sent', partCount })
  } catch (error) {
    if (!request.signal.aborted) console.info('The sound is left to the server', error)
    change({ phase: 'left_to_server' })
  } finally {
    clearTimeout(timer)
    endHeadStart()
  }
}

function onceOnly(call: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) call()
    isCalled = true
  }
}

interface Watcher {
  change: (next: Partial<SoundState>) => void
  onFirstHeard: () => void
}

/** @returns the number of parts */
async function sendAll(request: SoundRequest, deps: SoundDeps, watcher: Watcher): Promise<number> {
  const { file, durationMs: knownDurationMs, signal } = request
  // One line that fails takes the others with it.
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const answers = deps.cut({ file, knownDurationMs }, either)
  try {
    const otherMs = deps.readDurationMs(file, either)
    const first = await answers.next()
    if (first.done || !('facts' in first.value)) return 0
    const { facts } = first.value
    watcher.change({ phase: 'sending', partCount: facts.estimatedParts })
    const agreement = checkDuration(facts.durationMs, otherMs)
    return await sendParts({ request: { ...request, signal: either }, deps, facts, agreement, answers, watcher })
  } finally {
    stop.abort()
    void answers.return()
  }
}

async function checkDuration(durationMs: number, other: Promise<number | null>): Promise<void> {
  const otherMs = await other
  if (otherMs === null || Math.abs(otherMs - durationMs) <= MAX_DISAGREEMENT_MS) return
  throw new Error(`The player takes the video for ${otherMs} ms long, its index says ${durationMs} ms`)
}

interface Sending {
  request: SoundRequest
  deps: SoundDeps
  facts: SoundFacts
  /** Parts are put before the server has agreed, but are not reported until then. */
  agreement: Promise<void>
  answers: AsyncGenerator<FileAnswers['sound'], void>
  watcher: Watcher
}

async function sendParts({ request, deps, facts, agreement, answers, watcher }: Sending): Promise<number> {
  const { moduleId, callApi, signal } = request
  const persist = <T>(call: () => Promise<T>) => tryAgain(call, { wait: deps.wait, signal })
  const urls = openSoundUrls({ moduleId, facts, callApi, signal })
  const teller = openTeller({ moduleId, durationMs: facts.durationMs, callApi, signal, persist })
  let sentParts = 0
  let sentBytes = 0
  async function send({ bytes, ...part }: AudioPart): Promise<void> {
    const body = new Blob([bytes], { type: part.contentType })
    await persist(() => deps.putPart({ part: part.part, urls, body, signal }))
    watcher.change({ sentParts: ++sentParts, sentBytes: (sentBytes += body.size) })
    await agreement
    await teller.tell({ ...part, sizeBytes: body.size })
    watcher.onFirstHeard()
  }
  await Promise.all([agreement, ...Array.from({ length: LINES }, () => sendOneByOne(answers, send))])
  if (sentParts > 0) await teller.tellRest(sentParts)
  return sentParts
}

async function sendOneByOne(answers: Sending['answers'], send: (part: AudioPart) => Promise<void>): Promise<void> {
  // Lines take turns at the same answers, so the next part goes to whichever is free.
  for (let next = await answers.next(); !next.done; next = await answers.next()) {
    if ('part' in next.value) await send(next.value.part)
  }
}
