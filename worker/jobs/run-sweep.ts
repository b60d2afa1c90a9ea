import { upsertOutcome } from '#worker/domain/health/outcome-store.ts'
import { type AskedQueues, readBacklogs } from '#worker/domain/health/queue-backlog.ts'
import type { UploadDeps } from '#worker/domain/upload/receive-upload.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { withTrace } from '#worker/log/trace.ts'
import { sweep } from './sweep.ts'

/** One scheduled run: sweeps, writes down what waits in the queues, and leaves a sign that it was there. */
export function runSweep(deps: UploadDeps, queues: AskedQueues): Promise<void> {
  return withTrace({ requestId: crypto.randomUUID() }, async () => {
    try {
      await sweep(deps)
      await upsertOutcome(deps.d1, { part: 'sweep', code: null, nowMs: deps.nowMs() })
      await logBacklogs(queues, deps.nowMs())
    } catch (error) {
      // The next sweep is in a minute, and checks everything again.
      logLine('error', 'sweep', { outcome: 'failed', ...faultOf(error) })
      throw error
    }
  })
}

async function logBacklogs(queues: AskedQueues, nowMs: number): Promise<void> {
  try {
    const backlogs = await readBacklogs(queues, nowMs)
    logLine('info', 'backlog', { counts: Object.fromEntries(backlogs.map(({ queue, count }) => [queue, count])) })
  } catch (error) {
    logLine('warn', 'backlog', { outcome: 'failed', ...faultOf(error) })
  }
}
