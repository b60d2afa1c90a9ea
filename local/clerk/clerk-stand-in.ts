import { Hono } from 'hono'
import { methodOverride } from 'hono/method-override'
import { avatarRoutes } from './avatars.ts'
import { loadClientJson, readClientId } from './client.ts'
import type { StandInEnv, StandInOptions } from './context.ts'
import { errorBody, FapiError, notFound } from './fapi-error.ts'
import { environmentJson } from './json/environment.ts'
import { protectLoaders } from './protect.ts'
import { meRoutes } from './routes/me.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { scriptRoutes } from './routes/scripts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'
import { createTables, openStandInDb } from './tables.ts'

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
    .route('/__clerk/avatars', avatarRoutes)
  // Clerk's scripts send only GET and POST and name the real method in the query.
  app.use('/__clerk/v1/*', methodOverride({ app, query: '_method' }))
  return app
    .route('/__clerk/v1', frontendApi())
    .notFound((c) => c.json(errorBody(notFound('Resource')), 404))
    .onError((error, c) => {
      if (error instanceof FapiError) return c.json(errorBody(error), error.status)
      throw error
    })
}

function frontendApi() {
  return new Hono<StandInEnv>()
    .use(async (c, next) => {
      await createTables(c.var.options.db)
      c.set('db', openStandInDb(c.var.options.db))
      c.set('clientId', readClientId(c))
      await next()
      c.header('cache-control', 'no-store')
    })
    .on(['GET', 'PATCH'], '/environment', (c) => c.json(environmentJson(c.var.options.origin, protectLoaders(c))))
    .get('/client', async (c) => c.json({ response: await loadClientJson(c), client: null }))
    .route('/client/sign_ups', signUpRoutes)
    .route('/client/sign_ins', signInRoutes)
    .route('/client/sessions', sessionRoutes)
    .route('/organizations', organizationRoutes)
    .route('/me', meRoutes)
}
