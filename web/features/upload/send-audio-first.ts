import { UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { Done } from '#contract/module.ts'
import { type AudioArrived, type AudioUrlsRequest, type ClientAudioChunk, UrlsAnswer } from '#contract/upload.ts'
import type { AudioChunk } from '#media/audio-chunk.ts'
import type { CallApi } from '#web/lib/api.ts'
import { callWithRetry, type Timing, timing } from './call-with-retry.ts'
import type { AudioFacts, AudioOrder, FileAnswers } from './file-worker/messages.ts'
import { runFileTask } from './file-worker/run-file-task.ts'
import { isStored, type PutFile, putFile } from './put-file.ts'
import { SignedUrls } from './signed-urls.ts'
import { storageError } from './upload-error.ts'

export interface AudioRequest {
  file: File
  /** As `inspectVideo` found it. */
  durationMs: number | null
  moduleId: string
  callApi: CallApi
  /** Ends everything at once. */
  signal: AbortSignal
  /**
   * Called when the line is free for more than a little of the video: the first chunk is being transcribed,
   * or the audio is left to the server, or {@link HEAD_START_MS} are over; and at the end.
   */
  onVideoMayStart: () => void
}

export interface AudioDeps {
  cut: (order: AudioOrder, signal: AbortSignal) => AsyncGenerator<FileAnswers['audio'], void>
  putFile: PutFile
  /** Length of the file as the browser's own player sees it; null when it cannot play it. */
  readDurationMs: (file: File, signal: AbortSignal) => Promise<number | null>
  timing: Timing
}

const AUDIO_IN_BROWSER: AudioDeps = {
  cut: (order, signal) => runFileTask({ kind: 'audio', ...order }, { signal }),
  putFile,
  readDurationMs: readElementDurationMs,
  // With up to twice this for each delay it is half a minute in all: after that there is no head start left.
  timing: { ...timing, minTimeout: 250 },
}

/** Half a megabyte in this time is 70 kbit/s; on a slower line the audio is no head start. */
const PUT_WITHIN_MS = 60_000

/** Ten seconds of audio are 160 KB; with 1 Mbit/s that is this long with some room. */
const HEAD_START_MS = 2_000
/** Browsers open six connections to a host; the video's chunks need some of them. */
const LINES = 3
/** With more, the two are not reading the same thing. */
const MAX_DISAGREEMENT_MS = 1_000

/**
 * Sends the audio of a picked video ahead of it, so that it is transcribed while the video uploads. It is only ever a
 * head start: whatever goes wrong ends it silently, and the server cuts the audio out of the video as always. Never
 * rejects.
 * @returns how many chunks the server has got; 0 where all of the audio is left to it
 */
export async function sendAudioFirst(request: AudioRequest, deps: AudioDeps = AUDIO_IN_BROWSER): Promise<number> {
  const timer = setTimeout(request.onVideoMayStart, HEAD_START_MS)
  try {
    return await sendAll(request, deps)
  } catch (error) {
    if (!request.signal.aborted) console.info('The audio is left to the server', error)
    return 0
  } finally {
    clearTimeout(timer)
    request.onVideoMayStart()
  }
}

async function sendAll(request: AudioRequest, deps: AudioDeps): Promise<number> {
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
    const agreement = checkDuration(facts, otherMs)
    return await sendChunks({ request: { ...request, signal: either }, deps, facts, agreement, answers })
  } finally {
    stop.abort()
    void answers.return()
  }
}

async function checkDuration({ startMs, durationMs }: AudioFacts, other: Promise<number | null>): Promise<void> {
  const otherMs = await other
  // Some players count from where a recording was cut out of a longer one.
  const isEither = [durationMs, startMs + durationMs].some(
    (ms) => Math.abs((otherMs ?? ms) - ms) <= MAX_DISAGREEMENT_MS,
  )
  if (isEither) return
  // not-shown: for developers.
  throw new Error(`The player takes the video for ${otherMs} ms long, its index says ${durationMs} ms`)
}

interface Sending {
  request: AudioRequest
  deps: AudioDeps
  facts: AudioFacts
  /** Chunks are put before the server has agreed, but are not reported until then. */
  agreement: Promise<void>
  answers: AsyncGenerator<FileAnswers['audio'], void>
}

async function sendChunks({ request, deps, facts, agreement, answers }: Sending): Promise<number> {
  const { moduleId, callApi, signal } = request
  // Clients that failed together do not retry together.
  const persist = <T>(call: () => Promise<T>) => callWithRetry(call, { ...deps.timing, randomize: true, signal })
  // The size is signed into the address, so each is requested when its chunk has been cut.
  const load = (chunks: number[], { size: sizeBytes }: Blob) => {
    const body: AudioUrlsRequest = {
      chunks: chunks.map((chunk) => ({ chunk, sizeBytes })),
      contentType: facts.contentType,
    }
    const path = `/api/upload/${encodeURIComponent(moduleId)}/audio-urls`
    return callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
  }
  const urls = new SignedUrls({ putFile: deps.putFile, load })
  const reporter = openChunkReporter({ moduleId, durationMs: facts.durationMs, callApi, signal, persist })
  let sentChunks = 0
  async function send({ bytes, ...chunk }: AudioChunk): Promise<void> {
    // As its address is signed: files of other speakers in it may be of another type.
    const body = new Blob([bytes], { type: facts.contentType })
    await persist(async () => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(PUT_WITHIN_MS)])
      const put = { file: body, contentType: body.type, onProgress() {}, signal: within }
      const answer = await urls.put(chunk.chunk, put)
      if (!isStored(answer)) throw storageError(answer.status)
    })
    sentChunks++
    await agreement
    await reporter.report({ ...chunk, sizeBytes: body.size })
    request.onVideoMayStart()
  }
  await Promise.all([agreement, ...Array.from({ length: LINES }, () => sendOneByOne(answers, send))])
  if (sentChunks > 0) await reporter.reportRest(sentChunks)
  return sentChunks
}

async function sendOneByOne(answers: Sending['answers'], send: (chunk: AudioChunk) => Promise<void>): Promise<void> {
  // Lines take turns at the same answers, so the next chunk goes to whichever is free.
  for (let next = await answers.next(); !next.done; next = await answers.next()) {
    if ('chunk' in next.value) await send(next.value.chunk)
  }
}

/** Two minutes of audio; on a fast line each call brings this much. */
const GROUP = 4
/** On a slow line nothing waits longer than this for its neighbours. */
const GROUP_WITHIN_MS = 1_000

interface ChunkReporterOptions {
  moduleId: string
  durationMs: number
  callApi: CallApi
  signal: AbortSignal
  persist: <T>(call: () => Promise<T>) => Promise<T>
}

/** Reports to the server which chunks of the audio are in storage. */
function openChunkReporter({ moduleId, durationMs, callApi, signal, persist }: ChunkReporterOptions) {
  const path = `/api/upload/${encodeURIComponent(moduleId)}/audio`
  const arrived: ClientAudioChunk[] = []
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let isReporting = false
  let last: ClientAudioChunk | null = null
  const isDue = () => arrived.length >= GROUP || performance.now() - reportedAtMs >= GROUP_WITHIN_MS
  async function post(chunkCount: number | null): Promise<void> {
    const body = { durationMs, chunks: arrived.splice(0, UPLOAD_URLS_MAX), chunkCount } satisfies AudioArrived
    await persist(() => callApi({ path, method: 'POST', body, schema: Done, signal }))
    reportedAtMs = performance.now()
  }
  /** The first chunk at once, later ones a few at a time. @throws {ApiError} 409 `audio_refused` */
  async function report(chunk: ClientAudioChunk): Promise<void> {
    arrived.push(chunk)
    if (last === null || chunk.chunk > last.chunk) last = chunk
    if (isReporting || !isDue()) return
    isReporting = true
    try {
      while (arrived.length > 0 && isDue()) await post(null)
    } finally {
      isReporting = false
    }
  }
  /** Reports the remaining chunks, always including the last, and the number of all chunks. */
  async function reportRest(chunkCount: number): Promise<void> {
    while (arrived.length > UPLOAD_URLS_MAX) await post(null)
    // The last chunk is reported twice if need be, because it shows whether the audio reaches the end of the video.
    if (last !== null && !arrived.includes(last)) arrived.push(last)
    await post(chunkCount)
  }
  return { report, reportRest }
}

/** Browsers that load a file's head slowly are not waited for: then only one side knows a length. */
const READ_WITHIN_MS = 3_000

/** Length of a picked file as a `<video>` reads it; null when it cannot, or when the length is left open. */
function readElementDurationMs(file: Blob, signal: AbortSignal): Promise<number | null> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  const within = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
  return new Promise<number | null>((resolve) => {
    const end = () => resolve(Number.isFinite(video.duration) ? Math.round(video.duration * 1000) : null)
    video.addEventListener('loadedmetadata', end)
    video.addEventListener('error', end)
    within.addEventListener('abort', end)
    video.preload = 'metadata'
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  })
}
