import { useAuth } from '@clerk/react'
import { type ReactNode, useMemo } from 'react'
import { ApiContext, PersonContext } from '#web/lib/api-context.tsx'
import { callWithToken } from './call-with-token.ts'

/**
 * Binds the API to the signed-in person's token, and says whose it is. Apart from {@link AuthProvider}, so that the
 * landing page loads neither the client nor the schemas that parse its answers.
 */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { getToken, userId } = useAuth()
  const callApi = useMemo(() => callWithToken((options) => getToken({ template: 'api', ...options })), [getToken])
  return (
    <ApiContext value={callApi}>
      <PersonContext value={userId ?? null}>{children}</PersonContext>
    </ApiContext>
  )
}
