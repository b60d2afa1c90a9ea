import { z } from 'zod'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { Trace } from '#worker/log/trace.ts'
import type { Services } from '#worker/services.ts'

const run = { moduleId: z.string(), run: z.number().int(), requestId: z.string().optional() }

/**
 * One unit of work. Ids only: a job re-reads the database and acts on what is true now. `requestId` is that of the
 * request that led to it, for the log.
 */
export const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ingest'), ...run }),
  z.object({ kind: z.literal('speech'), ...run, part: z.number().int() }),
  z.object({ kind: z.literal('steps'), ...run, stretch: z.number().int() }),
])
export type Job = z.infer<typeof Job>
export type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>

/** What all lines about a message say; it may be one that nobody understood. */
export function traceOf(message: {
  kind?: string | undefined
  moduleId: string
  run: number
  part?: number | undefined
  stretch?: number | undefined
  requestId?: string | undefined
}): Trace {
  const { kind: stage, moduleId, run, requestId } = message
  return { requestId, stage, moduleId, run, part: message.part, stretch: message.stretch }
}

/** What a job can reach. */
export interface JobDeps extends RunDeps {
  services: Services
}

/** What a job is told about its own attempt. */
export interface Attempt {
  /** Counts from 1. */
  number: number
  /** Fires when the run has ended or was overtaken while the job was at work. */
  signal: AbortSignal
  /** Ends the neighbours of the same run, once the run as a whole cannot succeed. */
  stopRun: () => void
}
