import { useAuth, useUser } from '@clerk/react'
import { type ReactNode, useMemo } from 'react'
import * as m from '#messages'
import { ApiContext, type CallApi, callApi, MembershipContext, PersonContext } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { getApiToken } from './api-token.ts'

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
    const message = m.your_sign_in_could_not()
    throw new ApiError({ status: 0, code: 'network', message })
  }
}

/**
 * Binds the API to the signed-in person's token, and says whose it is. Apart from {@link AuthProvider}, so that the
 * landing page loads neither the client nor the schemas that parse its answers.
 */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { getToken, userId } = useAuth()
  const { user } = useUser()
  const isMember = (user?.organizationMemberships.length ?? 0) > 0
  const callApi = useMemo(() => callWithToken((options) => getApiToken(getToken, options)), [getToken])
  return (
    <ApiContext value={callApi}>
      <PersonContext value={userId ?? null}>
        <MembershipContext value={isMember}>{children}</MembershipContext>
      </PersonContext>
    </ApiContext>
  )
}
