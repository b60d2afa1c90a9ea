import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { logLine } from '#worker/log/log.ts'

/** Wakes a consumer up, after its tasks are committed. Recovery rings again where it was lost, so nothing fails. */
export async function ring(
  { queues }: Pick<Context, 'queues'>,
  kind: TaskKind,
  { delaySeconds = 0 }: { delaySeconds?: number } = {},
): Promise<void> {
  try {
    await queues[kind].send({ kind }, { delaySeconds })
  } catch (error) {
    logLine('warn', 'doorbell_lost', { stage: kind, ...faultOf(error) })
  }
}
