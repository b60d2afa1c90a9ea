import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { SettleAnswer } from '#contract/team/assignment.ts'
import { GroupsAnswer, PeopleAnswer, type Person, PersonAnswer } from '#contract/team/people.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

/** Everything that is known of the people of the active organization. */
export const PEOPLE_KEY = [...ORGANIZATION_KEY, 'people'] as const

/** Which people are listed. */
export interface PeopleFilter {
  query: string
  /** Id; empty for all. */
  group: string
  hasLeft: boolean
}

export const ALL_PEOPLE: PeopleFilter = { query: '', group: '', hasLeft: false }

/** People by name, page after page. */
export function peopleQuery(callApi: CallApi, { query, group, hasLeft }: PeopleFilter) {
  return infiniteQueryOptions({
    queryKey: [...PEOPLE_KEY, 'list', query, group, hasLeft],
    queryFn: ({ pageParam, signal }) => {
      const asked = new URLSearchParams({
        ...(query !== '' && { query }),
        ...(group !== '' && { group }),
        ...(hasLeft && { left: 'yes' }),
        ...(pageParam !== null && { after: pageParam }),
      })
      return callApi({ path: `/api/people?${asked}`, schema: PeopleAnswer, signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}

/** The groups by name. */
export function groupsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: [...PEOPLE_KEY, 'groups'],
    queryFn: async ({ signal }) => (await callApi({ path: '/api/groups', schema: GroupsAnswer, signal })).groups,
  })
}

export const personPath = ({ id }: Pick<Person, 'id'>, part = '') => `/api/people/${encodeURIComponent(id)}${part}`

/** A change of people or groups, after which all of them are loaded again. */
export function useChange<Variables, Answer>(change: (callApi: CallApi, variables: Variables) => Promise<Answer>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => change(callApi, variables),
    onSettled: () => queryClient.invalidateQueries({ queryKey: PEOPLE_KEY }),
    onError: (error) => toast.error(m.change_failed(), { description: error.message }),
  })
}

/** Adds a person, or changes one. */
export function useSavePerson() {
  return useChange((callApi, { id, ...body }: { id?: string } & Partial<Omit<Person, 'id'>>) =>
    id === undefined
      ? callApi({ path: '/api/people', method: 'POST', body, schema: PersonAnswer })
      : callApi({ path: personPath({ id }), method: 'PATCH', body, schema: PersonAnswer }),
  )
}

/** Records what follows for people whose groups have changed, part after part. */
export async function settleAll(callApi: CallApi, path: string, body?: { personIds: string[] }): Promise<void> {
  const call = { path, method: 'POST', schema: SettleAnswer, ...(body && { body }) } as const
  while ((await callApi(call)).left > 0);
}
