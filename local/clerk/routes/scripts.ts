import { Hono } from 'hono'
import type { StandInEnv } from '../context.ts'

// The files of one version never change, but the address of the first of each names only the major version.
const CACHE_CONTROL = 'public, max-age=3600'

/**
 * Clerk's own scripts, under the addresses that its loader asks for. The version in the address is ignored:
 * the files are those that were installed, copied beside the web app by the start command.
 */
export const scriptRoutes = new Hono<StandInEnv>().get(
  '/:versioned{(?:clerk-js|ui)@[^/]+}/dist/:file{[\\w.-]+\\.js}',
  async (c) => {
    const folder = c.req.param('versioned').split('@')[0]
    const url = new URL(`/clerk-scripts/${folder}/${c.req.param('file')}`, c.req.url)
    const found = await c.var.options.assets.fetch(new Request(url))
    // Static assets answer an unknown path with the app's page.
    if (!found.ok || found.headers.get('content-type')?.includes('text/html')) return c.notFound()
    return new Response(found.body, {
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': CACHE_CONTROL },
    })
  },
)
