/** How an upload waits; tests bring a quicker one. Both end with the signal's reason when it aborts. */
export interface Timing {
  wait: (delayMs: number, signal?: AbortSignal) => Promise<void>
  /** At once where the browser does not know itself offline. */
  whenOnline: (signal?: AbortSignal) => Promise<void>
}

export const timing: Timing = { wait, whenOnline }

function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

function whenOnline(signal?: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, ...(signal && { signal }) })
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}
