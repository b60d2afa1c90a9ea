import { z } from 'zod'
import type { Db } from '#worker/db/db.ts'
import type { Services } from '#worker/services.ts'
import type { RunSignals } from './run-signals.ts'

const run = { moduleId: z.string(), run: z.number().int() }

/** One unit of work. Ids only: a job re-reads the database and acts on what is true now. */
export const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ingest'), ...run }),
  z.object({ kind: z.literal('speech'), ...run, part: z.number().int() }),
  z.object({ kind: z.literal('steps'), ...run }),
])
export type Job = z.infer<typeof Job>
export type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>

/** What a job can reach. */
export interface JobDeps {
  env: Env
  db: Db
  services: Services
  signals: RunSignals
  nowMs: () => number
}
