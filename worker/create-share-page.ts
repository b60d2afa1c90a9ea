import { WorkerEntrypoint } from 'cloudflare:workers'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { createShareOrigin } from '#worker/routes/share-origin.ts'

/**
 * The entrypoint with the edge's cache in front of it (`exports` in wrangler.toml). Only this worker's own entry calls
 * it, so that what is cached was asked for without anything of a visitor.
 * @param openCache the cache of that entrypoint; only it can purge it
 */
export function createSharePage(openCache: (ctx: ExecutionContext) => EdgeCache) {
  const origin = createShareOrigin()
  return class SharePage extends WorkerEntrypoint<Env> {
    override async fetch(request: Request): Promise<Response> {
      return origin.fetch(request, this.env, this.ctx)
    }

    purge(tags: readonly string[]): Promise<void> {
      return openCache(this.ctx).purge(tags)
    }
  }
}
