import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { z } from 'zod'
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import { AppError } from '#worker/core/errors.ts'
import { readPersonToken } from '#worker/domain/module/assigned-access.ts'
import { getEditedModule, getModule, getOwnModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { noteTrace } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { AppEnv } from './app-env.ts'
import { limitCaller, withinRows } from './limits.ts'
import { dropMemberCookie, findMemberToken } from './link-cookie.ts'

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
  const caller = token === undefined ? null : await c.var.context.services.identity.verify(token)
  if (caller === null) throw new AppError('unauthenticated', 'Sign in to continue.')
  noteTrace({ userId: caller.userId })
  await dropOtherAccount(c, caller)
  return caller
}

/** A browser that another account has used is not that account's person any more. */
async function dropOtherAccount(c: Context<AppEnv>, { userId }: Caller): Promise<void> {
  const personToken = findMemberToken(c)
  if (personToken === null) return
  const person = await readPersonToken({ ...c.var.context, personToken })
  if (person?.userId !== userId) dropMemberCookie(c)
}

/** Finds the module of the path, which the caller owns. @throws {AppError} not_found */
export function getOwn(c: Context<AppEnv>): Promise<ModuleRow> {
  return getOwnModule(c.var.context.db, c.var.caller, c.req.param('moduleId') ?? '')
}

/** Finds the module of the path, whose steps the caller may change. @throws {AppError} not_found */
export async function getEdited(c: Context<AppEnv>): Promise<ModuleRow> {
  return (await getEditedModule(c.var.context, c.var.caller, c.req.param('moduleId') ?? '')).module
}

/** Finds the module of the path, which the caller can open, and as whom. @throws {AppError} not_found */
export function getOpen(c: Context<AppEnv>): ReturnType<typeof getModule> {
  return getModule(c.var.context, c.var.caller, c.req.param('moduleId') ?? '')
}

/** Answers a call whose only result is that it succeeded. */
export function answerDone(c: Context<AppEnv>): Response {
  return c.json({ success: true } satisfies Done)
}

/** Reads at most `maxBytes` of the body; the declared length is not trusted. */
export async function readBytes(c: Context<AppEnv>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of c.req.raw.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes)
      throw new AppError('payload_too_large', `The body may have at most ${Math.floor(maxBytes / 1024)} kB.`)
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** Parses a JSON body with the contract's schema. */
export async function readJson<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): Promise<z.infer<Schema>> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\b/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.')
  }
  return parse(schema, parseJson(await readBytes(c, JSON_BODY_MAX_BYTES)))
}

/** Parses a request's value; the error names the first field that is wrong. */
function parse<Schema extends z.ZodType>(schema: Schema, sent: unknown, name?: string): z.infer<Schema> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = name ?? issue?.path.join('.') ?? ''
  const what = issue?.message ?? 'Not valid.'
  throw new AppError('invalid_request', where === '' ? what : `${where}: ${what}`)
}

/** An escape that may stand for half of a character: JSON can write it, UTF-8 cannot. */
const SURROGATE = /\\u[dD][89a-fA-F]/

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    // The database would keep a half as three characters, and what is read would be longer than what was checked.
    return SURROGATE.test(text) ? JSON.parse(text, repairText) : JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON.', { cause })
  }
}

function repairText(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/**
 * Parses a part of the path with the contract's schema. Ids of modules need no schema: an invalid id is answered like
 * one that does not exist.
 * @throws {AppError} invalid_request
 */
export function readParam<Schema extends z.ZodType>(c: Context<AppEnv>, name: string, schema: Schema): z.infer<Schema> {
  return parse(schema, c.req.param(name), name)
}

/** Parses the address's query with the contract's schema. The first value counts when a name occurs twice. */
export function readQuery<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): z.infer<Schema> {
  return parse(schema, c.req.query())
}

/** Reads the type of a body that is no JSON, without its parameters. @throws {AppError} unsupported_media_type */
export function readType<Type extends string>(c: Context<AppEnv>, types: readonly Type[], message: string): Type {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  const acceptedType = types.find((each) => each === type)
  if (acceptedType !== undefined) return acceptedType
  throw new AppError('unsupported_media_type', message)
}
