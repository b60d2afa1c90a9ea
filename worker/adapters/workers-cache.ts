import { AppError } from '#worker/errors.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'

/** What one call of Cloudflare's purge takes (Cache, "Purge cache by cache-tags"). */
const TAGS_MAX = 30

/** The cache of a Workers entrypoint. Only that entrypoint itself can purge it. */
export function workersCache(cache: CacheContext | undefined): EdgeCache {
  return {
    async purge(tags) {
      for (let at = 0; at < tags.length; at += TAGS_MAX) {
        const answer = await cache?.purge({ tags: tags.slice(at, at + TAGS_MAX) })
        if (answer?.success === true) continue
        const reasons = answer?.errors.map(({ code, message }) => `${code} ${message}`) ?? ['there is no cache']
        throw new AppError('unavailable', `The edge was not purged: ${reasons.join('; ')}`)
      }
    },
  }
}
