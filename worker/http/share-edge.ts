import { currentTrace } from '#worker/log/trace.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { REQUEST_ID_HEADER } from './trace-request.ts'

/** The entrypoint `SharePage` of this worker, with the cache in front of it. */
export interface ShareEdge extends EdgeCache {
  fetch(request: Request): Promise<Response>
}

/** Stands in addresses that only go from this worker to itself: the cache distinguishes them by their path. */
const EDGE_ORIGIN = 'https://share.edge'

/** Reaches {@link ShareEdge} from the entry. */
export function shareEdgeOf(ctx: { exports?: unknown }): ShareEdge {
  return (ctx.exports as { SharePage: ShareEdge }).SharePage
}

/**
 * Asks through the cache. Nothing of the visitor's own request goes along: a cookie or a token would pass the cache by,
 * and two visitors must get the same. Our id of it does, for the line that is written where the cache has nothing.
 */
export function askEdge(ctx: { exports?: unknown }, path: string, headers: Record<string, string> = {}) {
  const id = { [REQUEST_ID_HEADER]: currentTrace().requestId ?? '' }
  return shareEdgeOf(ctx).fetch(new Request(`${EDGE_ORIGIN}${path}`, { headers: { ...headers, ...id } }))
}
