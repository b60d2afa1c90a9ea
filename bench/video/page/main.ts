import type { CopyOrder } from '#web/features/upload/small-copy/copy-messages.ts'
import { runCopyWorker } from '#web/features/upload/small-copy/run-copy-worker.ts'

/** How the small copy of the picked video was made. */
export interface CopyMade {
  tookMs: number
  /** Null where it would save too little. */
  sizeBytes: number | null
}

const SMALL = 'small.mp4'

/** Makes the small copy of the picked video as the product does, and offers it as a download. */
async function makeCopy(): Promise<CopyMade> {
  const video = document.querySelector('input')?.files?.[0]
  if (video === undefined) throw new Error('Pick a file first')
  const order: CopyOrder = { video, cuts: [], stepStartsMs: [], audioTrackId: null, folder: 'bench', name: SMALL }
  const events = { onProgress: () => {}, findWait: () => null, onWait: () => {}, signal: new AbortController().signal }
  const begunMs = performance.now()
  const made = await runCopyWorker(order, events)
  const tookMs = performance.now() - begunMs
  if (made === null) return { tookMs, sizeBytes: null }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(made.file)
  link.download = SMALL
  link.click()
  return { tookMs, sizeBytes: made.file.size }
}

/** How a video began and went on. */
export interface Watched {
  firstFrameMs: number
  stalls: number
  stalledMs: number
}

/** Plays a video from its beginning for a while, without sound. */
async function watch({ address, forMs }: { address: string; forMs: number }): Promise<Watched> {
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  const begunMs = performance.now()
  const firstFrame = new Promise<number>((resolve) =>
    video.requestVideoFrameCallback(() => resolve(performance.now() - begunMs)),
  )
  video.src = address
  void video.play()
  const firstFrameMs = await firstFrame
  let [stalls, stalledMs, stalledSinceMs] = [0, 0, 0]
  video.addEventListener('waiting', () => {
    stalls += 1
    stalledSinceMs = performance.now()
  })
  const endStall = () => {
    if (stalledSinceMs > 0) stalledMs += performance.now() - stalledSinceMs
    stalledSinceMs = 0
  }
  video.addEventListener('playing', endStall)
  await new Promise((resolve) => setTimeout(resolve, forMs))
  endStall()
  video.remove()
  return { firstFrameMs, stalls, stalledMs }
}

const bench = { makeCopy, watch }
export type VideoBench = typeof bench
Object.assign(window, { bench })
