import { z } from 'zod'
import { shareTag } from '#worker/domain/share/share-tag.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'

const Purge = z.object({ moduleId: z.string() })

/** As long as it takes for the account to have another purge to give, and then some. */
const AGAIN_AFTER_S = 15

/**
 * Consumer of the changes of shared modules: one purge for all that came together, each module once. What fails comes
 * again; what is lost is over within a minute anyway.
 */
export async function purgeShares(batch: MessageBatch<unknown>, edge: EdgeCache): Promise<void> {
  const tags = new Set<string>()
  for (const { body } of batch.messages) {
    const purge = Purge.safeParse(body)
    if (purge.success) tags.add(shareTag(purge.data.moduleId))
  }
  try {
    if (tags.size > 0) await edge.purge([...tags])
    batch.ackAll()
  } catch (error) {
    logLine('warn', 'purge_put_off', { count: tags.size, ...faultOf(error) })
    batch.retryAll({ delaySeconds: AGAIN_AFTER_S })
  }
}
