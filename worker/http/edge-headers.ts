/** How long the edge may keep an answer. The sum is the longest that an outdated answer is served. Seconds. */
export interface EdgeLife {
  freshS: number
  /** Then given out once more while the edge asks for a new one. */
  staleS: number
}

/** What is gone for its owner is gone for everyone within a minute, also when no purge arrives. */
export const SHARED_LIFE: EdgeLife = { freshS: 30, staleS: 30 }
/** A module that is being made changes every few seconds, and the page asks for more by itself. */
export const AT_WORK_LIFE: EdgeLife = { freshS: 2, staleS: 8 }
/** Bytes that never change, and that can only be reached with a grant that lives for {@link SHARED_LIFE}. */
export const BYTES_LIFE: EdgeLife = { freshS: 3600, staleS: 0 }

const EDGE_HEADERS = ['cloudflare-cdn-cache-control', 'cache-tag']

/**
 * Headers that let the edge keep an answer and browsers ask each time. `stale-if-error=0`, or a link that was taken
 * back would live on for as long as the origin fails; `s-maxage` and `must-revalidate` would switch the stale time off.
 */
export function edgeHeaders({ freshS, staleS }: EdgeLife, tag: string): Record<string, string> {
  const stale = staleS === 0 ? '' : `, stale-while-revalidate=${staleS}`
  return {
    'cloudflare-cdn-cache-control': `max-age=${freshS}${stale}, stale-if-error=0`,
    'cache-control': 'public, max-age=0',
    'cache-tag': tag,
  }
}

/** Removes the headers that are meant for the edge alone. */
export function withoutEdgeHeaders(headers: Headers): Headers {
  const rest = new Headers(headers)
  for (const name of EDGE_HEADERS) rest.delete(name)
  return rest
}
