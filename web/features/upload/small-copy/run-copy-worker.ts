import type { CopyOrder, FromCopyWorker, MadeCopy, ToCopyWorker } from './copy-messages.ts'
import type { CopyWait } from './copy-wait.ts'

export interface CopyEvents {
  onProgress: (percent: number) => void
  /** What else needs the machine or the line; making pauses then. */
  findWait: () => CopyWait | null
  /** Called with what it waits for, and with null when it goes on. */
  onWait: (wait: CopyWait | null) => void
  signal: AbortSignal
}

const LOOK_EVERY_MS = 1_000

/**
 * Makes a small copy in a web worker of its own.
 * @returns null where it would save too little
 * @throws where it fails; the signal's reason when it aborts
 */
export async function runCopyWorker(
  order: CopyOrder,
  { onProgress, findWait, onWait, signal }: CopyEvents,
): Promise<MadeCopy> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./small-copy.worker.ts', import.meta.url), { type: 'module', name: 'small-copy' })
  const send = (message: ToCopyWorker) => worker.postMessage(message)
  let wait: CopyWait | null = null
  const watch = setInterval(() => {
    const before = wait
    wait = findWait()
    if (wait === before) return
    onWait(wait)
    if (wait === null || before === null) send({ isPaused: wait !== null })
  }, LOOK_EVERY_MS)
  try {
    return await new Promise<MadeCopy>((resolve, reject) => {
      const fail = (message: string) => reject(new Error(message))
      worker.addEventListener('message', ({ data }: MessageEvent<FromCopyWorker>) => {
        if ('percent' in data) onProgress(data.percent)
        else if ('failed' in data) fail(data.failed)
        else resolve(data.made)
      })
      // not-shown: for developers.
      worker.addEventListener('error', ({ message }) => fail(message || 'The small copy worker did not start'))
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      send({ order })
    })
  } finally {
    clearInterval(watch)
    if (wait !== null) onWait(null)
    worker.terminate()
  }
}
