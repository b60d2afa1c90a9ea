import { useAuth, useUser } from '@clerk/react'
import { type ReactNode, useMemo } from 'react'
import {
  ApiContext,
  type CallApi,
  callApi,
  MembershipContext,
  PasswordAskedContext,
  PersonContext,
} from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { type GetToken, getApiToken, readToken } from './api-token.ts'
import { usePasswordCalls } from './password-calls.ts'

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

/**
 * Binds the API to the signed-in person's token, and says whose it is. Apart from {@link AuthProvider}, so that the
 * landing page loads neither the client nor the schemas that parse its answers.
 */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { getToken, userId } = useAuth()
  const { user } = useUser()
  const isMember = (user?.organizationMemberships.length ?? 0) > 0
  const { withPassword, isAsking } = usePasswordCalls(getToken)
  const callApi = useMemo(
    () => withPassword(callWithToken((options) => getApiToken(getToken, options))),
    [getToken, withPassword],
  )
  return (
    <ApiContext value={callApi}>
      <PersonContext value={userId ?? null}>
        <MembershipContext value={isMember}>
          <PasswordAskedContext value={isAsking}>{children}</PasswordAskedContext>
        </MembershipContext>
      </PersonContext>
    </ApiContext>
  )
}
