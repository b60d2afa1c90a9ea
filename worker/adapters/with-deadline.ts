import { AppError } from '#worker/errors.ts'

interface Deadline {
  timeoutMs: number
  /** The caller's; when it fires, its reason is thrown as it is. */
  signal: AbortSignal
  /** Who is waited for, for the message: "The speech service". */
  who: string
}

/**
 * Waits for a call to a service, but not for ever, even when the call ignores its signal.
 * @throws {AppError} `ai_timeout` after `timeoutMs`
 */
export async function withDeadline<Answer>(
  { timeoutMs, signal, who }: Deadline,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const either = AbortSignal.any([signal, timeout.signal])
  const stopped = new Promise<never>((_, reject) => {
    either.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
  })
  try {
    return await Promise.race([call(either), stopped])
  } catch (error) {
    signal.throwIfAborted()
    if (!timeout.signal.aborted) throw error
    throw new AppError('ai_timeout', `${who} did not answer within ${Math.round(timeoutMs / 1000)} s.`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}
