import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A failure as Clerk's Frontend API words it; its components know the codes and show their own texts. */
export class FapiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly field: string | null

  constructor(status: ContentfulStatusCode, code: string, message: string, field: string | null = null) {
    super(message)
    this.name = 'FapiError'
    this.status = status
    this.code = code
    this.field = field
  }
}

/** A fault of one field of a form; the component shows it there. */
export function fieldError(field: string, code: string, message: string): FapiError {
  return new FapiError(422, code, message, field)
}

export function notFound(what: string): FapiError {
  return new FapiError(404, 'resource_not_found', `${what} not found`)
}

/** Makes clerk-js ask for the client again and sign out if the session is gone. */
export function unauthenticated(): FapiError {
  return new FapiError(401, 'authentication_invalid', 'Nobody is signed in with this session')
}

export function errorBody(error: FapiError) {
  const meta = error.field ? { param_name: error.field } : {}
  return {
    errors: [{ code: error.code, message: error.message, long_message: error.message, meta }],
    clerk_trace_id: crypto.randomUUID(),
  }
}
