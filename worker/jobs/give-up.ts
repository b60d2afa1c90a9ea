import { z } from 'zod'
import { failRun } from '#worker/domain/run/fail-run.ts'
import { findPart } from '#worker/domain/run/part-store.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { findRun, type RunRow } from '#worker/domain/run/run-store.ts'
import { findStretch } from '#worker/domain/run/stretch-store.ts'

/** Read loosely: what lands here may be a message that nobody understood. */
const AnyRunMessage = z.object({
  kind: z.string().optional(),
  moduleId: z.string(),
  run: z.number().int(),
  part: z.number().int().optional(),
  stretch: z.number().int().optional(),
})

const REASON =
  'Processing was tried several times without success. Nothing of your video is lost: please try again in a few minutes.'

/** Consumer of the dead-letter queue: the module of a message that ran out of tries ends FAILED with a reason. */
export async function giveUp(batch: MessageBatch<unknown>, deps: RunDeps): Promise<void> {
  for (const message of batch.messages) {
    const parsed = AnyRunMessage.safeParse(message.body)
    console.warn({ event: 'dead_letter', id: message.id, body: parsed.success ? parsed.data : 'unreadable' })
    if (parsed.success && !(await isDone(deps, parsed.data)))
      await failRun(deps, parsed.data, { code: 'gave_up', reason: REASON })
    message.ack()
  }
}

/** A copy of the message may have done the work meanwhile. */
async function isDone(deps: RunDeps, message: z.infer<typeof AnyRunMessage>): Promise<boolean> {
  if (message.part !== undefined) return (await findPart(deps.db, message, message.part))?.status === 'heard'
  if (message.kind === 'ingest') return isPlanned(await findRun(deps.db, message))
  if (message.stretch === undefined) return false
  return (await findStretch(deps.db, message, message.stretch))?.status === 'written'
}

/** Cut to its end, or planned from captions. */
function isPlanned(run: RunRow | null): boolean {
  return run !== null && (run.partCount !== null || run.stretchCount !== null)
}
