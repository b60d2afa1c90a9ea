import { cors } from 'hono/cors'
import type { AppEnv } from './app-env.ts'
import { listOrigins } from './origins.ts'

/** Preflights are asked for again after this long; Chromium keeps them no longer. */
const PREFLIGHT_S = 2 * 60 * 60

/** Where the app is open at several origins, each may call the API of the others; no other origin may. */
export const allowOrigins = cors({
  origin: (origin, c) => (listOrigins((c as { env: AppEnv['Bindings'] }).env).includes(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['content-disposition', 'retry-after'],
  credentials: true,
  maxAge: PREFLIGHT_S,
})
