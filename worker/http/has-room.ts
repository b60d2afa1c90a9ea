import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'

/** Whether one more call fits under a limit. A limiter that fails lets the call pass: it is no quota. */
export async function hasRoom(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch (error) {
    logLine('warn', 'limit_unread', faultOf(error))
    return true
  }
}
