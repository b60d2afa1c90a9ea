import type { Context } from 'hono'
import type { z } from 'zod'
import type { AppEnv } from './app-env.ts'
import { invalidRequest } from './read-body.ts'

/** Parses the address's query with the contract's schema. Of a name that is given twice the first counts. */
export function readQuery<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(c.req.query())
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}
