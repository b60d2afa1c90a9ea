import type { ServedContext } from '#worker/core/context.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { CallLimit } from './call-limits.ts'

/** What every Hono handler of the API can reach. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    context: ServedContext
    requestId: string
    /** The error behind a problem response; unset for other responses. */
    fault?: { code: string; cause?: string }
    /** Set by `requireUser`. */
    caller: Caller
    /** How calls of this route are counted; unset for routes without a limit. */
    callLimit?: CallLimit
  }
}
