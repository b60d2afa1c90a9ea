import { AppError } from '#worker/errors.ts'
import { readFault } from '../read-fault.ts'
import { withDeadline } from '../with-deadline.ts'

interface Run {
  model: string
  inputs: Record<string, unknown>
  /** The third argument, but for its signal. */
  options?: Record<string, unknown>
  timeoutMs: number
  signal: AbortSignal
  /** Who is called, for messages: "The speech service". */
  who: string
}

function toAppError(error: unknown, who: string): AppError {
  if (error instanceof AppError) return error
  return readFault({ reason: error instanceof Error ? error.message : String(error), who, cause: error })
}

/**
 * Runs a model of Workers AI.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 */
export function runWorkersAi(ai: Ai, { model, inputs, options, ...deadline }: Run): Promise<unknown> {
  return withDeadline(deadline, async (signal) => {
    try {
      // The types of a known model fit neither the audio container nor an answer that may be anything.
      return (await (ai as Pick<Ai<Record<never, never>>, 'run'>).run(model, inputs, { ...options, signal })) as unknown
    } catch (error) {
      throw toAppError(error, deadline.who)
    }
  })
}
