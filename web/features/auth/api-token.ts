import { isClerkAPIResponseError } from '@clerk/react/errors'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'

/** `skipCache`: a new token instead of the one in memory. Null when the visitor is not signed in. */
export type GetToken = (options: { skipCache?: boolean }) => Promise<string | null>

/** Whether Clerk's instance has the template of tokens that Adapt asks for; false once it has said that it has none. */
let hasTemplate = true

type GetClerkToken = (options: { template?: string; skipCache?: boolean }) => Promise<string | null>

/** Asks for a token of the template `api`; where there is none, the session's own names the organization as well. */
export async function getApiToken(getToken: GetClerkToken, options: { skipCache?: boolean } = {}) {
  if (!hasTemplate) return getToken(options)
  try {
    return await getToken({ template: 'api', ...options })
  } catch (error) {
    if (!isClerkAPIResponseError(error) || error.status !== 404) throw error
    hasTemplate = false
    return getToken(options)
  }
}

/** @throws {ApiError} network */
export async function readToken(getToken: GetToken, options: { skipCache?: boolean }): Promise<string | null> {
  try {
    return await getToken(options)
  } catch {
    // Clerk fails here only when its service cannot be reached; a session that ended gives null.
    const message = m.your_sign_in_could_not()
    throw new ApiError({ status: 0, code: 'network', message })
  }
}
