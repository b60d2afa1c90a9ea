/** What waits in a queue. */
export interface Backlog {
  queue: string
  count: number
  /** How long the oldest message has waited; null when the platform does not report it. */
  oldestMs: number | null
}

/** Queues with metrics; only the platform sends to the dead letter queue and the queue of event notifications. */
export interface AskedQueues {
  ingest: Pick<Queue, 'metrics'>
  speech: Pick<Queue, 'metrics'>
  steps: Pick<Queue, 'metrics'>
  purges: Pick<Queue, 'metrics'>
}

/** The queues of a worker. */
export function openAskedQueues(
  env: Pick<Env, 'INGEST_QUEUE' | 'SPEECH_QUEUE' | 'STEPS_QUEUE' | 'PURGE_QUEUE'>,
): AskedQueues {
  return { ingest: env.INGEST_QUEUE, speech: env.SPEECH_QUEUE, steps: env.STEPS_QUEUE, purges: env.PURGE_QUEUE }
}

/** A delivery may last a quarter of an hour (Queues, "consumer wall clock time"); what waits longer has been left. */
const LATE_MS = 15 * 60_000

/** Asks each queue how much waits in it. */
export function readBacklogs(queues: AskedQueues, nowMs: number): Promise<Backlog[]> {
  return Promise.all(
    Object.entries(queues).map(async ([queue, asked]: [string, Pick<Queue, 'metrics'>]) => {
      const { backlogCount: count, oldestMessageTimestamp } = await asked.metrics()
      const sentMs = Number(oldestMessageTimestamp ?? 0)
      return { queue, count, oldestMs: count > 0 && sentMs > 0 ? nowMs - sentMs : null }
    }),
  )
}

/** @returns null when nothing waits for too long */
export function describeBacklogs(backlogs: readonly Backlog[]): string | null {
  const late = backlogs.filter(({ oldestMs }) => (oldestMs ?? 0) > LATE_MS)
  if (late.length === 0) return null
  const each = late.map(
    ({ queue, count, oldestMs }) => `${queue} (${count}, ${Math.floor((oldestMs ?? 0) / 60_000)} min)`,
  )
  return `backed up: ${each.join(', ')}`
}
