import { z } from 'zod'
import { failRun } from '#worker/domain/run/fail-run.ts'
import { findPart } from '#worker/domain/run/part-store.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { findRun, type RunRow } from '#worker/domain/run/run-store.ts'
import { findStretch } from '#worker/domain/run/stretch-store.ts'
import { logLine } from '#worker/log/log-line.ts'
import { withTrace } from '#worker/log/trace.ts'
import { traceOf } from './job.ts'

/** Read loosely: what lands here may be a message that nobody understood. */
const AnyRunMessage = z.object({
  kind: z.string().optional(),
  moduleId: z.string(),
  run: z.number().int(),
  part: z.number().int().optional(),
  stretch: z.number().int().optional(),
  requestId: z.string().optional(),
})
type RunMessage = z.infer<typeof AnyRunMessage>

const REASON =
  'Processing was tried several times without success. Nothing of your video is lost: please try again in a few minutes.'

/** Consumer of the dead-letter queue: the module of a message that ran out of tries ends FAILED with a reason. */
export async function giveUp(batch: MessageBatch<unknown>, deps: RunDeps): Promise<void> {
  for (const message of batch.messages) {
    const parsed = AnyRunMessage.safeParse(message.body)
    await withTrace(parsed.success ? traceOf(parsed.data) : {}, () => endRun(deps, message, parsed.data))
    message.ack()
  }
}

async function endRun(deps: RunDeps, { id: messageId }: Message, asked: RunMessage | undefined): Promise<void> {
  logLine('warn', 'dead_letter', { messageId, code: asked === undefined ? 'unreadable' : 'gave_up' })
  if (asked !== undefined && !(await isDone(deps, asked)))
    await failRun(deps, asked, { code: 'gave_up', reason: REASON })
}

/** A copy of the message may have done the work meanwhile. */
async function isDone(deps: RunDeps, message: RunMessage): Promise<boolean> {
  if (message.part !== undefined) return (await findPart(deps.db, message, message.part))?.status === 'heard'
  if (message.kind === 'ingest') return isPlanned(await findRun(deps.db, message))
  if (message.stretch === undefined) return false
  return (await findStretch(deps.db, message, message.stretch))?.status === 'written'
}

/** Cut to its end, or planned from captions. */
function isPlanned(run: RunRow | null): boolean {
  return run !== null && (run.partCount !== null || run.stretchCount !== null)
}
