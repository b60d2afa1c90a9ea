import pRetry, { type Options } from 'p-retry'
import { canPass } from '#web/lib/query-client.ts'
import { UploadError } from './upload-error.ts'

/** How an upload retries; tests bring a quicker one. */
export interface Timing {
  /** Before the first retry; each later delay is twice the one before. */
  minTimeout: number
  /** Resolves at once where the browser does not know itself offline; rejects when the signal aborts. */
  whenOnline: (signal?: AbortSignal) => Promise<void>
}

export const timing: Timing = { minTimeout: 1_000, whenOnline }

function whenOnline(signal?: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, ...(signal && { signal }) })
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** About a minute in all: a train's tunnel, a router that restarts. Time spent offline is not counted. */
const MINUTE = { retries: 6, maxTimeout: 30_000 }

type RetryOptions = Timing & Pick<Options, 'retries' | 'randomize' | 'signal'>

/** Repeats a call that is harmless to repeat, as long as its failure is one that can pass. */
export function callWithRetry<Answer>(
  call: (attempt: number) => Promise<Answer>,
  { whenOnline, signal, ...options }: RetryOptions,
): Promise<Answer> {
  const shouldRetry: Options['shouldRetry'] = ({ error }) =>
    error instanceof UploadError ? error.canPass : canPass(error)
  const callOnline = async (attempt: number) => {
    await whenOnline(signal)
    return call(attempt)
  }
  return pRetry(callOnline, { ...MINUTE, ...options, signal, shouldRetry })
}

/** Rejects with the signal's reason when it aborts meanwhile. */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const end = AbortSignal.any([signal, AbortSignal.timeout(delayMs)])
  await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
  signal.throwIfAborted()
}
