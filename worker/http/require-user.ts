import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#worker/errors.ts'
import { noteTrace } from '#worker/log/trace.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { AppEnv } from './app-env.ts'
import { limitCaller } from './limit-calls.ts'
import { withinRows } from './limit-rows.ts'

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Lets only callers with a valid bearer token pass and puts them into `c.var.caller`. */
export const requireUser = createMiddleware<AppEnv>(async (c, next) => {
  const caller = await getCaller(c)
  c.set('caller', caller)
  await limitCaller(c, caller.userId)
  await withinRows(c, caller.userId, next)
})

/**
 * Finds who calls; null for a call without a token, which any visitor may send. An invalid token is refused, so that a
 * signed-in client asks for a new one instead of being taken for a visitor.
 * @throws {AppError} unauthenticated
 */
export async function findCaller(c: Context<AppEnv>): Promise<Caller | null> {
  return c.req.header('authorization') === undefined ? null : getCaller(c)
}

async function getCaller(c: Context<AppEnv>): Promise<Caller> {
  const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
  const caller = token === undefined ? null : await c.var.services.identity.verify(token)
  if (caller === null) throw new AppError('unauthenticated', 'Sign in to continue.')
  noteTrace({ userId: caller.userId })
  return caller
}
