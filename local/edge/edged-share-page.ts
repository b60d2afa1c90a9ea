import { createSharePage } from '#worker/create-share-page.ts'
import type { EdgeCacheStandIn } from './edge-cache.ts'

/**
 * The product's own entrypoint, behind the stand-in of the cache that Cloudflare puts before it.
 * @param noteRun called whenever the worker behind the cache runs
 */
export function createEdgedSharePage(edge: EdgeCacheStandIn, noteRun: () => void = () => {}) {
  return class SharePage extends createSharePage(() => edge) {
    override fetch(request: Request): Promise<Response> {
      const origin = (asked: Request) => {
        noteRun()
        return super.fetch(asked)
      }
      return edge.answer({ request, origin, waitUntil: (work) => this.ctx.waitUntil(work) })
    }
  }
}
