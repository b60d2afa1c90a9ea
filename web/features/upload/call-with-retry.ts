import { canPass } from '#web/lib/query-client.ts'
import type { Timing } from './wait.ts'

/** About a minute in all: a train's tunnel, a router that restarts. Time spent offline is not counted. */
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const

/** Repeats a call that is harmless to repeat, as long as its failure is one that can pass. */
export async function callWithRetry<Answer>(
  call: () => Promise<Answer>,
  { wait, whenOnline }: Timing,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    await whenOnline(signal)
    try {
      return await call()
    } catch (error) {
      const delayMs = DELAYS_MS[attempt]
      signal.throwIfAborted()
      if (delayMs === undefined || !(error instanceof Error) || !canPass(error)) throw error
      await wait(delayMs, signal)
    }
  }
}
