import { runFileTask } from '#web/features/upload/file-worker/run-file-task.ts'
import { inspectVideo } from '#web/features/upload/inspect/inspect-video.ts'
import { makePictures } from '#web/features/upload/pictures/make-pictures.ts'
import type { CutReport, DrawReport, UploadBench } from '../answers.ts'
import { send, sendBytes, sending } from './send.ts'

function pickedFile(): File {
  const file = document.querySelector('input')?.files?.[0]
  if (file === undefined) throw new Error('Pick a file first')
  return file
}

async function cut({ digests }: { digests: boolean }): Promise<CutReport> {
  const file = pickedFile()
  const watch = watchThread()
  const beganAt = performance.now()
  const report = { durationMs: 0, parts: [] as CutReport['parts'], firstPartMs: 0, allPartsMs: 0 }
  for await (const answer of runFileTask({ kind: 'sound', file, knownDurationMs: null })) {
    if ('facts' in answer) {
      report.durationMs = answer.facts.durationMs
      continue
    }
    report.firstPartMs ||= performance.now() - beganAt
    const { part, startMs, endMs, bytes } = answer.part
    const digest = digests ? await digestOf(bytes) : ''
    report.parts.push({ part, startMs, endMs, sizeBytes: bytes.byteLength, digest })
  }
  report.allPartsMs = performance.now() - beganAt
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
    // What was observed is told a moment later.
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
  const pictures: DrawReport['pictures'] = []
  for await (const { timeMs, blob } of makePictures(pickedFile(), timesMs, { maxWidthPx })) {
    const { width, height } = await createImageBitmap(blob)
    pictures.push({ timeMs, type: blob.type, sizeBytes: blob.size, width, height })
  }
  return { pictures, tookMs: performance.now() - beganAt }
}

const bench: UploadBench = {
  cut,
  idle,
  draw,
  inspect: async () => ({ ...(await inspectVideo(pickedFile())) }),
  send: (how: { isSoundFirst: boolean }) => send(pickedFile(), how),
  sendBytes,
  sending,
}
Object.assign(window, { bench })
