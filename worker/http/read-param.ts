import type { Context } from 'hono'
import type { z } from 'zod'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'

/**
 * Parses a part of the path with the contract's schema. Ids of modules need none: whatever is none is answered as one
 * that does not exist.
 * @throws {AppError} invalid_request
 */
export function readParam<Schema extends z.ZodType>(c: Context<AppEnv>, name: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(c.req.param(name))
  if (parsed.success) return parsed.data
  throw new AppError('invalid_request', `${name}: ${parsed.error.issues[0]?.message ?? 'Not valid.'}`)
}
