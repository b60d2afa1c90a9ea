import type { TaskKind } from '#worker/db/task-tables.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'

/** A message that says that there is work of this kind; which, the database says. */
export interface Doorbell {
  kind: TaskKind
}

/** A queue for each kind of task, so that none holds up another. */
export type RunQueues = Record<TaskKind, Pick<Queue<Doorbell>, 'send'>>

/** The queues of a worker. */
export function openRunQueues(env: Pick<Env, 'INGEST_QUEUE' | 'SPEECH_QUEUE' | 'STEPS_QUEUE'>): RunQueues {
  return { ingest: env.INGEST_QUEUE, transcribe: env.SPEECH_QUEUE, write_steps: env.STEPS_QUEUE }
}

/** Wakes a consumer up, after its tasks are committed. The watchdog rings again where it was lost, so nothing fails. */
export async function ring(
  { queues }: { queues: RunQueues },
  kind: TaskKind,
  { delaySeconds = 0 }: { delaySeconds?: number } = {},
): Promise<void> {
  try {
    await queues[kind].send({ kind }, { delaySeconds })
  } catch (error) {
    logLine('warn', 'doorbell_lost', { stage: kind, ...faultOf(error) })
  }
}

/** Wakes all consumers up: a run may have tasks of any kind when its turn comes, or when it is restored. */
export async function ringAll(deps: { queues: RunQueues }): Promise<void> {
  await Promise.all([ring(deps, 'ingest'), ring(deps, 'transcribe'), ring(deps, 'write_steps')])
}
