import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { MatrixAnswer, type MatrixRequest } from '#contract/records/matrix.ts'
import { type SignOff, SignOffAnswer } from '#contract/records/sign-off.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

/** Which people and trainings are shown. */
export type MatrixFilters = Pick<MatrixRequest, 'group' | 'collection' | 'state'>

const MATRIX_KEY = [...ORGANIZATION_KEY, 'matrix'] as const

function pathOf(filters: MatrixRequest): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== undefined))
  return `/api/matrix${query.size > 0 ? `?${query}` : ''}`
}

/** People and trainings, page after page. */
export function matrixQuery(callApi: CallApi, filters: MatrixFilters) {
  return infiniteQueryOptions({
    queryKey: [...MATRIX_KEY, filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      callApi({ path: pathOf({ ...filters, after }), schema: MatrixAnswer, signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Where what is signed of a person and a training is read and sent. */
export function signOffPath({ personId, moduleId }: SignOffSubject): string {
  return `/api/sign-off/${encodeURIComponent(personId)}/${encodeURIComponent(moduleId)}`
}

/** A person and a training. */
export interface SignOffSubject {
  personId: string
  moduleId: string
}

/** What a supervisor has to see of a person and a training. */
export function signOffQuery(callApi: CallApi, subject: SignOffSubject) {
  return queryOptions({
    queryKey: [...ORGANIZATION_KEY, 'sign-off', subject],
    queryFn: ({ signal }) => callApi({ path: signOffPath(subject), schema: SignOffAnswer, signal }),
    staleTime: 0,
  })
}

/** Records what a supervisor says, and says so. */
export function useSignOff(subject: SignOffSubject, onSigned: () => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SignOff) => callApi({ path: signOffPath(subject), method: 'POST', body, schema: SignOffAnswer }),
    onSuccess: (answer) => {
      queryClient.setQueryData(signOffQuery(callApi, subject).queryKey, answer)
      const { name: person } = answer.person
      const isRefused = answer.known.refusedSteps.length > 0
      toast.success(isRefused ? m.sign_off_again_recorded({ person }) : m.sign_off_is_recorded({ person }))
      onSigned()
      return queryClient.invalidateQueries({ queryKey: MATRIX_KEY })
    },
    onError: (error) => {
      toast.error(m.sign_off_failed(), { description: error.message })
      // Somebody else may have signed meanwhile.
      return queryClient.invalidateQueries({ queryKey: signOffQuery(callApi, subject).queryKey })
    },
  })
}
