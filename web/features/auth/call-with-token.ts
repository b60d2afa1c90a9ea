import { callApi } from '#web/lib/api.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { ApiError } from '#web/lib/api-error.ts'

/** `skipCache`: a new token instead of the one in memory. Null when the visitor is not signed in. */
export type GetToken = (options: { skipCache?: boolean }) => Promise<string | null>

/**
 * Binds the API to a token source. A 401 is tried once more with a new token: a laptop that slept wakes with an
 * expired one.
 */
export function callWithToken(getToken: GetToken): CallApi {
  return async (call) => {
    const token = await readToken(getToken, {})
    try {
      return await callApi({ ...call, token })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error
      return callApi({ ...call, token: await readToken(getToken, { skipCache: true }) })
    }
  }
}

async function readToken(getToken: GetToken, options: { skipCache?: boolean }): Promise<string | null> {
  try {
    return await getToken(options)
  } catch {
    // Clerk fails here only when its service cannot be reached; a session that ended gives null.
    const message = 'Your sign-in could not be confirmed. Check your connection and try again.'
    throw new ApiError({ status: 0, code: 'network', message })
  }
}
