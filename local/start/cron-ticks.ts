import { setTimeout as sleep } from 'node:timers/promises'

export interface CronTicksOptions {
  /** Where the worker listens. */
  address: string
  /** From the end of one tick to the beginning of the next. */
  everyMs: number
  /** Ends the ticks, also one that is under way. */
  signal: AbortSignal
  onFailure: (reason: string) => void
}

/** wrangler keeps the schedule's door here; the worker does the same work whatever cron it is told. */
const SCHEDULED_PATH = '/cdn-cgi/local/scheduled?cron=*+*+*+*+*'

// Scheduled work takes seconds; a worker that hangs must not keep the next tick from trying.
const LONGEST_TICK_MS = 120_000

/** Crons do not fire by themselves on this machine, so this does it: at once, then regularly, never two at a time. */
export async function runCronTicks({ address, everyMs, signal, onFailure }: CronTicksOptions): Promise<void> {
  while (!signal.aborted) {
    const failure = await tick(address, signal)
    if (signal.aborted) return
    if (failure !== null) onFailure(failure)
    // Rejects only when it is aborted, which the loop's condition sees.
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}

async function tick(address: string, signal: AbortSignal): Promise<string | null> {
  const limit = AbortSignal.timeout(LONGEST_TICK_MS)
  try {
    const response = await fetch(address + SCHEDULED_PATH, { signal: AbortSignal.any([signal, limit]) })
    const outcome = await response.text()
    return response.ok ? null : `${response.status} ${outcome}`
  } catch (error) {
    return limit.aborted ? 'the worker does not answer; stop Adapt and start it again' : String(error)
  }
}
