import { z } from 'zod'

/**
 * Answer of `GET /api/health`. `postgres`, `s3` and `qstash` keep their names from the specification and report on
 * what does that job here: D1, R2, and Queues with the scheduled sweep. A status text is `ok` or says what is wrong and
 * what that means.
 */
export const Health = z.object({
  success: z.boolean(),
  postgres: z.string(),
  s3: z.string(),
  qstash: z.string(),
  d1: z.string(),
  r2: z.string(),
  queues: z.string(),
  /** From how the models' latest calls ended: asking one costs what a call costs. */
  ai: z.string(),
  durableObjects: z.string(),
  environment: z.string(),
  /** Seconds since this isolate started. */
  uptime: z.number(),
  /** Of what is deployed: its commit, or Cloudflare's id of the version where it was deployed without one. */
  version: z.string(),
})
export type Health = z.infer<typeof Health>
