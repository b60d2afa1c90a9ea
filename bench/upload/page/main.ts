import { PresignAnswer } from '#contract/upload.ts'
import { convertFile } from '#web/features/upload/convert-file.ts'
import { inspectVideo, makeImages, runFileTask } from '#web/features/upload/file-worker/run-file-task.ts'
import { makePauseSwitch } from '#web/features/upload/pause-switch.ts'
import { sendAudioFirst } from '#web/features/upload/send-audio-first.ts'
import { openUploadDeps, uploadVideo } from '#web/features/upload/upload-video.ts'
import { type CallApi, callApi } from '#web/lib/api.ts'

const call: CallApi = (asked) => callApi({ ...asked, token: 'any.body.s' })
const { signal } = new AbortController()

type Upload = Pick<Parameters<typeof uploadVideo>[0], 'video' | 'durationMs' | 'onStarted' | 'onStored'>

/** Sends a file as the upload page does. */
function sendInParts(upload: Upload): Promise<string> {
  const request = { ...upload, captions: null, pause: makePauseSwitch(), signal, onSent: () => {} }
  return uploadVideo(request, openUploadDeps(call))
}

async function sendWhole(file: File): Promise<void> {
  const body = { filename: file.name, contentType: file.type, sizeBytes: file.size }
  const path = '/api/presigned-upload/presigned-url'
  const { uploadUrl } = await call({ path, method: 'POST', body, schema: PresignAnswer })
  // Plainly: what the product does about a line that stalls is not to be compared here.
  const { status } = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'content-type': file.type } })
  if (status !== 200) throw new Error(`The storage answered ${status}`)
}

/** Bytes as a video's are, which nothing on the way makes fewer of. */
function makeNoise(sizeBytes: number): File {
  const piece = 64 * 1024
  const pieces = Array.from({ length: Math.ceil(sizeBytes / piece) }, (_, i) =>
    crypto.getRandomValues(new Uint8Array(Math.min(piece, sizeBytes - i * piece))),
  )
  return new File(pieces, 'noise.mp4', { type: 'video/mp4' })
}

let converted: File | null = null

function pickedFile(): File {
  const file = converted ?? document.querySelector('input')?.files?.[0]
  if (file === undefined) throw new Error('Pick a file first')
  return file
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join()
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Measures what keeps the page's own thread from answering until the returned function is called. */
function watchThread() {
  /** Nothing under 50 ms counts as such. */
  const longTasksMs: number[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasksMs.push(duration)
  })
  observer.observe({ type: 'longtask' })
  /** The longest that a timer due at once had to wait: also shows what is shorter than a long task. */
  let longestWaitMs = 0
  let lastAt = performance.now()
  const { port1, port2 } = new MessageChannel()
  const timer = setInterval(() => {
    lastAt = performance.now()
    port2.postMessage(null)
  }, 5)
  port1.onmessage = () => (longestWaitMs = Math.max(longestWaitMs, performance.now() - lastAt))
  return async () => {
    clearInterval(timer)
    // Observations are delivered a moment later.
    await sleep(200)
    observer.disconnect()
    port1.close()
    return { longTasksMs, longestWaitMs }
  }
}

/** Known while the upload runs. */
const sending: { moduleId: string | null } = { moduleId: null }

const bench = {
  sending,
  async cut({ digests }: { digests: boolean }) {
    const watch = watchThread()
    const beganAt = performance.now()
    let [durationMs, firstChunkMs] = [0, 0]
    const chunks = []
    for await (const answer of runFileTask({ kind: 'audio', file: pickedFile(), knownDurationMs: null })) {
      if ('facts' in answer) {
        durationMs = answer.facts.durationMs
        continue
      }
      firstChunkMs ||= performance.now() - beganAt
      const { chunk, startMs, endMs, bytes } = answer.chunk
      const digest = digests ? await digestOf(bytes) : ''
      chunks.push({ chunk, startMs, endMs, sizeBytes: bytes.byteLength, digest })
    }
    const allChunksMs = performance.now() - beganAt
    return { durationMs, chunks, firstChunkMs, allChunksMs, ...(await watch()) }
  },
  /** Does nothing for so long, and measures what keeps the page's own thread from answering then. */
  async idle(ms: number) {
    const watch = watchThread()
    await sleep(ms)
    return watch()
  },
  async draw({ timesMs, maxWidthPx }: { timesMs: number[]; maxWidthPx: number }) {
    const images = []
    for await (const { timeMs, blob } of makeImages({ file: pickedFile(), timesMs, maxWidthPx })) {
      const { width, height } = await createImageBitmap(blob)
      images.push({ timeMs, type: blob.type, sizeBytes: blob.size, width, height })
    }
    return { images }
  },
  /** Converts the picked file; what is cut or drawn afterwards is of the result. */
  async convert() {
    const percents: number[] = []
    const onProgress = (percent: number) => void percents.push(percent)
    converted = await convertFile({ file: pickedFile(), knownDurationMs: null, onProgress, signal })
    return { sizeBytes: converted.size, percents }
  },
  inspect: () => inspectVideo(pickedFile()),
  /** Sends the picked file as the upload page does, with its audio ahead of it or without. */
  async send({ isAudioFirst }: { isAudioFirst: boolean }) {
    const beganAt = performance.now()
    const file = pickedFile()
    const { durationMs } = await inspectVideo(file)
    /** How far the audio came, and when. */
    let sentAudio: Promise<{ phase: string; tookMs: number } | null> = Promise.resolve(null)
    const onStarted: Upload['onStarted'] = async ({ moduleId }) => {
      sending.moduleId = moduleId
      if (!isAudioFirst) return
      await new Promise<void>((onVideoMayStart) => {
        const sent = sendAudioFirst({ file, durationMs, moduleId, callApi: call, signal, onVideoMayStart })
        sentAudio = sent.then((chunks) => {
          return { phase: chunks > 0 ? 'sent' : 'left to the server', tookMs: performance.now() - beganAt }
        })
      })
    }
    /** When storage had the last byte, by the machine's clock. */
    const stored = { storedAtMs: 0, tookMs: 0 }
    const onStored = () => void Object.assign(stored, { storedAtMs: Date.now(), tookMs: performance.now() - beganAt })
    const moduleId = await sendInParts({ video: file, durationMs, onStarted, onStored })
    return { moduleId, ...stored, audio: await sentAudio }
  },
  /** Sends noise in one PUT, or as the upload page sends a file of that size. @returns how long it took, in ms */
  async sendBytes({ sizeBytes, isWhole }: { sizeBytes: number; isWhole: boolean }) {
    const video = makeNoise(sizeBytes)
    const beganAt = performance.now()
    let tookMs = Number.NaN
    const onStored = () => {
      tookMs = performance.now() - beganAt
    }
    if (isWhole) await sendWhole(video).then(onStored)
    // Noise is no video, which the server says at the very end.
    else await sendInParts({ video, durationMs: null, onStarted: () => {}, onStored }).catch(() => {})
    return tookMs
  },
}
Object.assign(window, { bench })

/** What the bench and the journeys ask this page for. */
export type UploadBench = typeof bench
