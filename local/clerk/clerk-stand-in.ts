import { Hono } from 'hono'
import { methodOverride } from 'hono/method-override'
import { environmentJson } from './json/environment.ts'
import { drawAvatar } from './json/resources.ts'
import { meRoutes, sessionRoutes } from './routes/account.ts'
import { signInRoutes, signUpRoutes } from './routes/attempts.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { loadClientJson, protectLoaders, readClientId } from './session/client.ts'
import { type StandInEnv, type StandInOptions } from './session/context.ts'
import { notFound } from './store/failures.ts'
import { seedTeam } from './store/organization-store.ts'
import { createTables, openStandInDb } from './store/tables.ts'

// The files of one version never change, but the address of the first of each names only the major version.
const CACHE_CONTROL = 'public, max-age=3600'

const AVATAR_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'public, max-age=86400',
}

/**
 * Clerk's own scripts, under the addresses that its loader asks for. The version in the address is ignored:
 * the files are those that were installed, copied beside the web app by the start command.
 */
const scriptRoutes = new Hono<StandInEnv>().get(
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

/**
 * The part of Clerk's Frontend API that its own components need, with accounts kept in this installation's D1.
 * Serves everything under `/__clerk`. It hands out valid tokens, so it may be mounted for local runs only.
 */
export function clerkStandIn(options: StandInOptions): Hono<StandInEnv> {
  const app = new Hono<StandInEnv>()
    .use(async (c, next) => {
      c.set('options', options)
      await next()
    })
    .route('/__clerk/npm/@clerk', scriptRoutes)
    .get('/__clerk/avatars/:file{.+\\.svg}', (c) => c.body(drawAvatar(c.req.param('file')), 200, AVATAR_HEADERS))
  // Clerk's scripts send only GET and POST and name the real method in the query.
  app.use('/__clerk/v1/*', methodOverride({ app, query: '_method' }))
  return app.route('/__clerk/v1', frontendApi()).notFound(() => notFound('Resource').getResponse())
}

function frontendApi() {
  return new Hono<StandInEnv>()
    .use(async (c, next) => {
      await createTables(c.var.options.db)
      c.set('db', openStandInDb(c.var.options.db))
      await seedTeam(c.var.db)
      c.set('clientId', readClientId(c))
      await next()
      c.header('cache-control', 'no-store')
    })
    .on(['GET', 'PATCH'], '/environment', (c) => c.json(environmentJson(c.var.options, protectLoaders(c))))
    .get('/client', async (c) => c.json({ response: await loadClientJson(c), client: null }))
    .route('/client/sign_ups', signUpRoutes)
    .route('/client/sign_ins', signInRoutes)
    .route('/client/sessions', sessionRoutes)
    .route('/organizations', organizationRoutes)
    .route('/me', meRoutes)
}
