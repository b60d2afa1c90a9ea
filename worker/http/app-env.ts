import type { ServedContext } from '#worker/core/context.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { CallLimit } from './call-limits.ts'

/** What every Hono handler of the API can reach. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    context: ServedContext
    requestId: string
    /** Why the answer is a problem; unset where it is none. */
    fault?: { code: string; cause?: string }
    /** Set by `requireUser`. */
    caller: Caller
    /** How calls of this route are counted; nothing for the others. */
    callLimit?: CallLimit
  }
}
