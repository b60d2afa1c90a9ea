import { canPass } from '#web/lib/query-client.ts'

export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>

/** Half a minute in all: long enough for a dropped connection, short enough to keep the head start useful. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000] as const

/** Repeats a call that is harmless to repeat, as long as its failure is one that can pass. */
export async function tryAgain<T>(
  call: () => Promise<T>,
  { wait, signal }: { wait: Wait; signal: AbortSignal },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const delayMs = DELAYS_MS[attempt]
      signal.throwIfAborted()
      if (delayMs === undefined || !(error instanceof Error) || !canPass(error)) throw error
      // Half of the delay is random, so that clients that failed together do not retry together.
      await wait(delayMs * (0.5 + Math.random() / 2), signal)
    }
  }
}

/** Rejects with the signal's reason when it aborts meanwhile. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, delayMs)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
