import { PresignAnswer } from '#contract/upload.ts'
import { convertFile } from '#web/features/upload/convert/convert-file.ts'
import { inspectVideo, makeImages, runFileTask } from '#web/features/upload/file-worker/run-file-task.ts'
import { sendAudioFirst } from '#web/features/upload/send-audio-and-images.ts'
import { makePauseSwitch } from '#web/features/upload/transfer.ts'
import { openUploadDeps, uploadVideo } from '#web/features/upload/upload-video.ts'
import { type CallApi, callApi } from '#web/lib/api.ts'
import type { ConvertReport, CutReport, DrawReport, SendReport, UploadBench } from '../answers.ts'

const call: CallApi = (asked) => callApi({ ...asked, token: 'any.body.s' })

/** Known while the upload runs. */
const sending = { moduleId: null as string | null }

/** Sends a video as the upload page does, with its audio ahead of it or without. */
async function send(file: File, { isAudioFirst }: { isAudioFirst: boolean }): Promise<SendReport> {
  const beganAt = performance.now()
  const report: SendReport = { moduleId: '', storedAtMs: 0, tookMs: 0, audio: null }
  const { durationMs } = await inspectVideo(file)
  const { signal } = new AbortController()
  const audioUploads: Promise<void>[] = []
  const noteAudio = (sentChunks: number) => {
    const phase = sentChunks > 0 ? 'sent' : 'left to the server'
    report.audio = { phase, sentChunks, tookMs: performance.now() - beganAt }
  }
  const onStarted = ({ moduleId }: { moduleId: string }) => {
    sending.moduleId = report.moduleId = moduleId
    if (!isAudioFirst) return Promise.resolve()
    return new Promise<void>((resolve) => {
      audioUploads.push(
        sendAudioFirst({ file, durationMs, moduleId, callApi: call, signal, onHeadStart: resolve }).then(noteAudio),
      )
    })
  }
  const onStored = () => {
    report.storedAtMs = Date.now()
    report.tookMs = performance.now() - beganAt
  }
  const request = { video: file, captions: null, durationMs, pause: makePauseSwitch(), signal, onStarted, onStored }
  await uploadVideo({ ...request, onSent: () => {} }, openUploadDeps(call))
  await Promise.all(audioUploads)
  return report
}

/** Sends so many bytes in one PUT, or as the upload page sends a file of that size. @returns how long it took */
async function sendBytes({ sizeBytes, isWhole }: { sizeBytes: number; isWhole: boolean }): Promise<number> {
  const file = new File([makeNoise(sizeBytes)], 'noise.mp4', { type: 'video/mp4' })
  const { signal } = new AbortController()
  const beganAt = performance.now()
  if (isWhole) {
    const body = { filename: file.name, contentType: file.type, sizeBytes }
    const path = '/api/presigned-upload/presigned-url'
    const { uploadUrl } = await call({ path, method: 'POST', body, schema: PresignAnswer })
    // Plainly: what the product does about a line that stalls is not to be compared here.
    const { status } = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'content-type': file.type } })
    if (status !== 200) throw new Error(`The storage answered ${status}`)
    return performance.now() - beganAt
  }
  let tookMs = Number.NaN
  const onStored = () => {
    tookMs = performance.now() - beganAt
  }
  const request = { video: file, captions: null, durationMs: null, pause: makePauseSwitch(), signal, onStored }
  // Noise is no video, which the server says at the very end.
  await uploadVideo({ ...request, onStarted: () => {}, onSent: () => {} }, openUploadDeps(call)).catch(() => {})
  return tookMs
}

/** Bytes as a video's are, which nothing on the way makes fewer of. */
function makeNoise(sizeBytes: number): Blob {
  const piece = 64 * 1024
  const pieces = Array.from({ length: Math.ceil(sizeBytes / piece) }, (_, i) =>
    crypto.getRandomValues(new Uint8Array(Math.min(piece, sizeBytes - i * piece))),
  )
  return new Blob(pieces)
}

let converted: File | null = null

async function convert(): Promise<ConvertReport> {
  const beganAt = performance.now()
  const percents: number[] = []
  const onProgress = (percent: number) => void percents.push(percent)
  converted = await convertFile({ file: pickedFile(), onProgress, signal: new AbortController().signal })
  return { sizeBytes: converted.size, percents, tookMs: performance.now() - beganAt }
}

function pickedFile(): File {
  const file = converted ?? document.querySelector('input')?.files?.[0]
  if (file === undefined) throw new Error('Pick a file first')
  return file
}

async function cut({ digests }: { digests: boolean }): Promise<CutReport> {
  const file = pickedFile()
  const watch = watchThread()
  const beganAt = performance.now()
  const report = { durationMs: 0, chunks: [] as CutReport['chunks'], firstChunkMs: 0, allChunksMs: 0 }
  for await (const answer of runFileTask({ kind: 'audio', file, knownDurationMs: null })) {
    if ('facts' in answer) {
      report.durationMs = answer.facts.durationMs
      continue
    }
    report.firstChunkMs ||= performance.now() - beganAt
    const { chunk, startMs, endMs, bytes } = answer.chunk
    const digest = digests ? await digestOf(bytes) : ''
    report.chunks.push({ chunk, startMs, endMs, sizeBytes: bytes.byteLength, digest })
  }
  report.allChunksMs = performance.now() - beganAt
  return { ...report, ...(await watch()) }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join()
}

function watchThread(): () => Promise<Pick<CutReport, 'longTasksMs' | 'longestWaitMs'>> {
  const longTasksMs: number[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasksMs.push(duration)
  })
  observer.observe({ type: 'longtask' })
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
    await new Promise((resolve) => setTimeout(resolve, 200))
    observer.disconnect()
    port1.close()
    return { longTasksMs, longestWaitMs }
  }
}

async function idle(ms: number): Promise<Pick<CutReport, 'longTasksMs' | 'longestWaitMs'>> {
  const watch = watchThread()
  await new Promise((resolve) => setTimeout(resolve, ms))
  return watch()
}

async function draw({ timesMs, maxWidthPx }: { timesMs: number[]; maxWidthPx: number }): Promise<DrawReport> {
  const beganAt = performance.now()
  const images: DrawReport['images'] = []
  for await (const { timeMs, blob } of makeImages({ file: pickedFile(), timesMs, maxWidthPx })) {
    const { width, height } = await createImageBitmap(blob)
    images.push({ timeMs, type: blob.type, sizeBytes: blob.size, width, height })
  }
  return { images, tookMs: performance.now() - beganAt }
}

const bench: UploadBench = {
  cut,
  idle,
  draw,
  convert,
  inspect: async () => ({ ...(await inspectVideo(pickedFile())) }),
  send: (how: { isAudioFirst: boolean }) => send(pickedFile(), how),
  sendBytes,
  sending,
}
Object.assign(window, { bench })
