import { waitUntil } from 'cloudflare:workers'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { objectsOf } from '#worker/core/jurisdiction.ts'
import { logLine } from '#worker/log/log.ts'
import { withDeadline } from '../service/call-service.ts'

/** A call of Workers AI before it begins. */
interface Call {
  /** Workers AI has a rate limit for each kind. */
  kind: 'speech' | 'language'
  /** Whether a person waits for the answer. */
  isUrgent: boolean
  signal: AbortSignal
  /** The name of the service in messages: "The speech service". */
  who: string
}

/**
 * Waits until a call may begin.
 * @throws {AppError} `ai_busy`, with the time after which it is worth asking again, where that would take too long
 */
export type Pace = (call: Call) => Promise<void>

const VARIABLES = { speech: 'SPEECH_CALLS_PER_MINUTE', language: 'LANGUAGE_CALLS_PER_MINUTE' } as const
/** The calls of four full drains begin within this, at 0.9 of 300 a minute (`JOBS_IN_FLIGHT`, `max_concurrency`). */
const MAX_WAIT_MS = 60_000
/** The pacer may take this long to answer; a round trip to the far side of the world takes a fifth of it. */
const PACER_TIMEOUT_MS = 2_000

/**
 * Paces the calls of all invocations to what this deployment may begin in a minute. Where that cannot be asked, calls
 * begin anyway: the platform refuses too many. A call that a user waits for begins at once and is only counted.
 */
export function openPace(env: Pick<Env, 'CALL_PACER' | 'ROOM_JURISDICTION' | (typeof VARIABLES)[Call['kind']]>): Pace {
  return async ({ kind, isUrgent, signal, who }) => {
    const name = VARIABLES[kind]
    if (env[name] === '') return
    const perMinute = Number(env[name])
    if (!(perMinute >= 1)) throw new Error(`${name} is not a number of calls of at least 1: ${env[name]}`)
    const take = async () => {
      const pacers = objectsOf(env, env.CALL_PACER)
      const pacer = pacers.get(pacers.idFromName(kind))
      return pacer.take({ perMinute, isUrgent, maxWaitMs: MAX_WAIT_MS })
    }
    if (isUrgent) {
      waitUntil(take().catch(logUnread))
      return
    }
    try {
      const { waitMs, isGranted } = await withDeadline({ timeoutMs: PACER_TIMEOUT_MS, signal, who: 'The pacer' }, take)
      if (!isGranted) {
        const retryAfterS = Math.ceil(waitMs / 1000)
        const reason = `${who} has as many calls as it takes in a minute.`
        throw new AppError('ai_busy', reason, { retryAfterS, isPaced: true })
      }
      if (waitMs > 0) await scheduler.wait(waitMs, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AppError && error.isPaced) throw error
      logUnread(error)
    }
  }
}

function logUnread(error: unknown): void {
  logLine('warn', 'pace_unread', faultOf(error))
}
