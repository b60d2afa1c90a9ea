import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { z } from 'zod'
import { Problem } from '#contract/problem.ts'
import { tokenOf } from './sign-in.ts'

interface Call {
  /** User id; null calls without a token. */
  as?: string | null
  orgId?: string
  orgRole?: string
  orgPermissions?: readonly string[]
  /** Of the token, besides those or in their place. */
  claims?: Record<string, unknown>
  method?: string
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
}

/** Calls the worker as a browser would. */
export async function call(path: string, options: Call = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  if (options.as !== undefined && options.as !== null) {
    headers.set('authorization', `Bearer ${await tokenOf(options.as, options)}`)
  }
  if (options.json !== undefined) headers.set('content-type', 'application/json')
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const method = options.method ?? (body === undefined ? 'GET' : 'POST')
  return exports.default.fetch(`http://localhost:8787${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

/** The answer of a call that succeeds, parsed with the contract. */
export async function answerOf<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options?: Call,
): Promise<z.infer<Schema>> {
  const response = await call(path, options)
  const body: unknown = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return schema.parse(body)
}

/** The problem document of a call that fails. */
export async function problemOf(path: string, options?: Call): Promise<Problem> {
  const response = await call(path, options)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = Problem.parse(await response.json())
  expect(problem.status).toBe(response.status)
  return problem
}
