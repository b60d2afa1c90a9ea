import type { ServedContext } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'
import { wakeBusyTasks } from './busy-tasks.ts'
import { MAX_ATTEMPTS } from './retry.ts'
import { settleFailure } from './settle-failure.ts'
import type { Attempt, Task, TaskHandler, TaskHandlers } from './task.ts'
import { extendLeases, LEASE_MS } from './task-store.ts'
import { withTaskTrace } from './trace-task.ts'

/** Does the tasks of one claim side by side, and settles each by itself: one that fails leaves the others alone. */
export async function runTasks(tasks: readonly Task[], context: ServedContext, handlers: TaskHandlers): Promise<void> {
  const [first] = tasks
  if (first === undefined) return
  // A claim is of one kind.
  const handler = handlers[first.kind]
  const bySubject = Map.groupBy(tasks, ({ subjectId }) => subjectId)
  const ofSubjects = Array.from(bySubject, ([subjectId, own]): OfSubject => {
    return { subjectId, own, controller: new AbortController() }
  })
  const stopBeat = startHeartbeat(tasks, { context, handler, ofSubjects })
  const running = ofSubjects.flatMap(({ own, controller }) => {
    const attempt = { signal: controller.signal }
    return own.map((task) => withTaskTrace(task, handler, () => runTask(task, { context, handler }, attempt)))
  })
  await Promise.all(running).finally(stopBeat)
}

/** The tasks of one subject, which stop together. */
interface OfSubject {
  subjectId: string
  own: readonly Task[]
  controller: AbortController
}

/** What a task runs with. */
interface Running {
  context: ServedContext
  handler: TaskHandler
}

/** Extends the lease every third of it while this invocation is alive, and stops what is not its own any more. */
function startHeartbeat(
  claimed: readonly Task[],
  { context, handler, ofSubjects }: Running & { ofSubjects: readonly OfSubject[] },
): () => void {
  async function beat(): Promise<void> {
    try {
      const { subject } = handler
      const heldSubjects = await extendLeases(context.d1, { claimed, subject, nowMs: context.nowMs() })
      for (const { subjectId, controller } of ofSubjects) if (!heldSubjects.has(subjectId)) controller.abort()
    } catch (error) {
      logLine('warn', 'heartbeat_missed', faultOf(error))
    }
  }
  const timer = setInterval(() => void beat(), LEASE_MS / 3)
  return () => clearInterval(timer)
}

async function runTask(task: Task, { context, handler }: Running, attempt: Attempt): Promise<void> {
  const startedMs = context.nowMs()
  try {
    // Each of its workers died: with a model or without, nothing more is tried.
    if (task.attempts >= MAX_ATTEMPTS) {
      logLine('warn', 'task', { outcome: 'failed', code: 'gave_up' })
      return await handler.onGiveUp(task, context, null)
    }
    await handler.run(task, context, attempt)
    logLine('info', 'task', { outcome: 'done', durationMs: context.nowMs() - startedMs })
    if (handler.wakesBusy && task.isAnyBusy) await wakeOthers(task, { context, handler })
  } catch (error) {
    const durationMs = context.nowMs() - startedMs
    if (attempt.signal.aborted) logLine('info', 'task', { outcome: 'stopped', durationMs })
    else await settleFailure(task, { context, handler }, { error, durationMs })
  }
}

/** New tasks have no pause, and would otherwise pass by those that a busy model has refused for long. */
async function wakeOthers({ kind }: Task, { context: { d1, nowMs }, handler: { subject } }: Running): Promise<void> {
  try {
    await wakeBusyTasks(d1, { kind, subject, nowMs: nowMs() })
  } catch (error) {
    // Their pauses end by themselves.
    logLine('warn', 'wake_failed', { stage: kind, ...faultOf(error) })
  }
}
