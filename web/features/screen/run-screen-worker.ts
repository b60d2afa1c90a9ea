import type { ScreenReading } from '#contract/screen.ts'
import type { FromScreenWorker, ScreenOrder, ToScreenWorker } from './screen-messages.ts'

export interface ScreenEvents {
  onReading: (reading: ScreenReading) => Promise<void>
  onProgress: (percent: number) => void
  /** Whether something else needs the machine; reading pauses then. */
  isBusy: () => boolean
  signal: AbortSignal
}

const LOOK_EVERY_MS = 1_000

/** Reads a video in a web worker of its own. Settles when all was read, or its time is over. @throws where it fails */
export async function runScreenWorker(order: ScreenOrder, { onReading, onProgress, isBusy, signal }: ScreenEvents) {
  const worker = new Worker(new URL('./screen.worker.ts', import.meta.url), { type: 'module', name: 'screen' })
  const send = (message: ToScreenWorker) => worker.postMessage(message)
  let isPaused = false
  const watch = setInterval(() => {
    if (isBusy() !== isPaused) send({ isPaused: (isPaused = !isPaused) })
  }, LOOK_EVERY_MS)
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (message: string) => reject(new Error(message))
      worker.addEventListener('message', ({ data }: MessageEvent<FromScreenWorker>) => {
        if ('percent' in data) onProgress(data.percent)
        else if ('failed' in data) fail(data.failed)
        else void onReading(data.reading).then(() => (data.reading.isDone ? resolve() : undefined), reject)
      })
      // not-shown: for developers.
      worker.addEventListener('error', ({ message }) => fail(message || 'The screen worker did not start'))
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      send({ order })
    })
  } finally {
    clearInterval(watch)
    worker.terminate()
  }
}
