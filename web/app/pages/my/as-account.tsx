import { useAuth, useUser } from '@clerk/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { OpenAccountAnswer } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { callWithToken } from '#web/features/auth/api-provider.tsx'
import { getApiToken } from '#web/features/auth/api-token.ts'
import { nameOf } from '#web/features/auth/name-of.ts'
import { OWN_KEY } from '#web/features/my/my-queries.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'

/** Makes the device that of the person who is signed in, before it is asked what they have to do. */
export function AsAccount({ children }: { children: ReactNode }) {
  const { getToken, orgId } = useAuth()
  const { user } = useUser()
  const queryClient = useQueryClient()
  const opened = useQuery({
    queryKey: [...OWN_KEY, 'account', user?.id, orgId],
    queryFn: async () => {
      const callApi = callWithToken((options) => getApiToken(getToken, options))
      const body = { name: nameOf(user) }
      const answer = await callApi({ path: '/api/my/account', method: 'POST', body, schema: OpenAccountAnswer })
      // What is remembered may be that of the last account.
      queryClient.removeQueries({ queryKey: OWN_KEY, exact: true, type: 'inactive' })
      return answer
    },
  })
  if (opened.data !== undefined) return children
  if (opened.isPending) return <LoadingScreen />
  return (
    <ListFailed
      title={m.failed_to_load_what({ what: m.my_trainings() })}
      error={opened.error}
      isBusy={opened.isFetching}
      onRetry={() => opened.refetch()}
    />
  )
}
