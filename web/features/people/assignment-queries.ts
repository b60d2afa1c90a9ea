import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { AssignmentsAnswer, type NewAssignment, SettleAnswer } from '#contract/team/assignment.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'
import { settleAll } from './people-queries.ts'

const PATH = '/api/assignments'
const ASSIGNMENTS_KEY = [...ORGANIZATION_KEY, 'assignments'] as const

/** What is open, the newest first. */
export function assignmentsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: ASSIGNMENTS_KEY,
    queryFn: async ({ signal }) => (await callApi({ path: PATH, schema: AssignmentsAnswer, signal })).assignments,
  })
}

/** Makes or ends an assignment, and records it part after part for however many people. */
function useRecorded<Variables>(begin: (callApi: CallApi, variables: Variables) => Promise<SettleAnswer>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (variables: Variables) => {
      const { id, left } = await begin(callApi, variables)
      if (left > 0) await settleAll(callApi, `${PATH}/${encodeURIComponent(id ?? '')}/settle`)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ASSIGNMENTS_KEY }),
    onError: (error) => toast.error(m.change_failed(), { description: error.message }),
  })
}

export function useAssign() {
  return useRecorded((callApi, body: NewAssignment) =>
    callApi({ path: PATH, method: 'POST', body, schema: SettleAnswer }),
  )
}

export function useEndAssignment() {
  return useRecorded((callApi, id: string) =>
    callApi({ path: `${PATH}/${encodeURIComponent(id)}`, method: 'DELETE', schema: SettleAnswer }),
  )
}
