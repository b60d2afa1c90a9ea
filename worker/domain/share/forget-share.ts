import { z } from 'zod'
import type { Context, ServedContext } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'

/** Names everything that the edge keeps of shared modules and collections, so that it can be purged together. */
export function shareTag(...ids: (string | undefined)[]): string {
  return ids.flatMap((id) => (id === undefined ? [] : `share-${id}`)).join(',')
}

/** Asks for the page of a module, or of a collection, to be purged with whatever else has changed by then. */
export const PurgeMessage = z.object({ moduleId: z.string() })

/**
 * Purges modules or collections, up to a hundred, from the edge at once, because they are no longer public. A purge that fails is retried
 * later; without one the edge's copy expires within a minute. Never fails its caller.
 */
export async function forgetShareNow(
  context: Pick<ServedContext, 'edge' | 'purges'>,
  ...moduleIds: string[]
): Promise<void> {
  if (moduleIds.length === 0) return
  try {
    await context.edge.purge(moduleIds.map((moduleId) => shareTag(moduleId)))
  } catch (error) {
    logLine('warn', 'purge_failed', { count: moduleIds.length, ...faultOf(error) })
    await Promise.all(moduleIds.map((moduleId) => forgetShareSoon(context, moduleId)))
  }
}

/**
 * Lets learners see a change earlier than the edge forgets by itself. The account may purge a few times a minute and an
 * editor saves every second, so changes are collected in a queue. Never fails what it follows.
 */
export async function forgetShareSoon({ purges }: Pick<Context, 'purges'>, moduleId: string): Promise<void> {
  try {
    await purges.send({ moduleId })
  } catch (error) {
    logLine('warn', 'purge_lost', { moduleId, ...faultOf(error) })
  }
}
