import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A failure as Clerk's Frontend API words it; its components know the codes and show their own texts. */
export function failure(status: ContentfulStatusCode, code: string, message: string, field?: string): HTTPException {
  const meta = field === undefined ? {} : { param_name: field }
  const body = { errors: [{ code, message, long_message: message, meta }], clerk_trace_id: crypto.randomUUID() }
  return new HTTPException(status, { message, res: Response.json(body) })
}

/** A fault of one field of a form; the component shows it there. */
export function fieldError(field: string, code: string, message: string): HTTPException {
  return failure(422, code, message, field)
}

/** Where signing in, or the password that is asked for again, meets another one. */
export function wrongPassword(): HTTPException {
  return fieldError('password', 'form_password_incorrect', 'Password is incorrect. Try again, or use another method.')
}

export function notFound(what: string): HTTPException {
  return failure(404, 'resource_not_found', `${what} not found`)
}

/** Makes clerk-js ask for the client again and sign out if the session is gone. */
export function unauthenticated(): HTTPException {
  return failure(401, 'authentication_invalid', 'This session has no signed-in user')
}
