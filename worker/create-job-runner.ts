import { WorkerEntrypoint } from 'cloudflare:workers'
import { makeWatchedServices } from '#worker/domain/health/watch-services.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { type JobOutcome, type JobTry, runJobs } from '#worker/jobs/run-jobs.ts'
import type { MakeServices } from '#worker/services.ts'

/**
 * The entrypoint through which the queue consumer spreads a batch: each call is an invocation of its own, and may have
 * six connections open where a whole batch in one invocation would have six in all.
 */
export function createJobRunner(makeServices: MakeServices) {
  return class JobRunner extends WorkerEntrypoint<Env> {
    runJobs(tries: JobTry[]): Promise<JobOutcome[]> {
      const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work)
      const services = makeWatchedServices(makeServices, { env: this.env, waitUntil })
      return runJobs(tries, { ...openRunDeps(this.env), services })
    }
  }
}
