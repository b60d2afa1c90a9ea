import { createMiddleware } from 'hono/factory'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Lets only callers with a valid bearer token pass and puts them into `c.var.caller`. */
export const requireUser = createMiddleware<AppEnv>(async (c, next) => {
  const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
  const caller = token === undefined ? null : await c.var.services.identity.verify(token)
  if (caller === null) throw new AppError('unauthenticated', 'Sign in to continue.')
  c.set('caller', caller)
  await next()
})
