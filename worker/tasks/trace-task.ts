import { type Trace, withTrace } from '#worker/log/log.ts'
import type { Task, TaskHandler } from './task.ts'

/** Does something for a task; all lines of the log that it leads to say which one. */
export function withTaskTrace<Result>(task: Task, handler: TaskHandler, work: () => Result): Result {
  const { kind: stage, requestId, attempts } = task
  const trace: Trace = { requestId: requestId ?? undefined, stage, ...handler.traceOf(task), attempt: attempts + 1 }
  return withTrace(trace, work)
}
