import { WorkerEntrypoint } from 'cloudflare:workers'
import { makeWatchedServices } from '#worker/domain/health/watch-services.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { runTasks } from '#worker/pipeline/run-tasks.ts'
import type { MakeServices } from '#worker/services.ts'

/**
 * The entrypoint through which a drain spreads its tasks: each call is an invocation of its own, and may have six
 * connections open where all tasks in one invocation would have six in all.
 */
export function createTaskRunner(makeServices: MakeServices) {
  return class TaskRunner extends WorkerEntrypoint<Env> {
    runTasks(tasks: Task[]): Promise<void> {
      const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work)
      const services = makeWatchedServices(makeServices, { env: this.env, waitUntil })
      return runTasks(tasks, { ...openRunDeps(this.env), services })
    }
  }
}
