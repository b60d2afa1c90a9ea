import { listReadyParts, listReadyStretches } from '#worker/domain/run/ready-units.ts'
import type { JobOf } from './job.ts'

/** A job that can be done at once and that nobody has begun with. */
export interface ReadyJob {
  job: JobOf<'speech'> | JobOf<'steps'>
  sizeBytes: number
}

/** What the database says is ready, of all videos whose turn it is. */
export async function findReadyJobs(
  d1: D1Database,
  { kind, limit, nowMs }: { kind: ReadyJob['job']['kind']; limit: number; nowMs: number },
): Promise<ReadyJob[]> {
  if (kind === 'speech') {
    const parts = await listReadyParts(d1, { nowMs, limit })
    return parts.map(({ sizeBytes, ...part }) => ({ job: { kind, ...part }, sizeBytes }))
  }
  const stretches = await listReadyStretches(d1, { nowMs, limit })
  return stretches.map((stretch) => ({ job: { kind, ...stretch }, sizeBytes: 0 }))
}
