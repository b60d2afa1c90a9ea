import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '#contract/module.ts'
import { type RecordFilter, RecordsAnswer } from '#contract/records/record-list.ts'
import type { RecordKeeping } from '#contract/records/training-record.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

const RECORDS_KEY = [...ORGANIZATION_KEY, 'training-records'] as const

/** Which records are listed. */
export type ShownFilter = Pick<RecordFilter, 'person' | 'training' | 'kind'>

/** The records of the active organization, the newest first, a page at a time. */
export function recordsQuery(callApi: CallApi, filter: ShownFilter) {
  return infiniteQueryOptions({
    queryKey: [...RECORDS_KEY, filter],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => {
      const given = Object.entries({ ...filter, before: pageParam?.toString() })
      const query = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
      return callApi({ path: `/api/records${query.size > 0 ? `?${query}` : ''}`, schema: RecordsAnswer, signal })
    },
    getNextPageParam: ({ next }: RecordsAnswer) => next,
    retry: false,
  })
}

/** What a person changes about records; all that is listed is read again. */
type RecordChange =
  | { kind: 'correct'; seq: number; reason: string; name: string }
  | ({ kind: 'keep'; name: string } & RecordKeeping)
  | { kind: 'erase'; personId: string; name: string }

function requestOf(change: RecordChange) {
  switch (change.kind) {
    case 'correct': {
      const { seq, reason, name } = change
      return { path: `/api/records/${seq}/correction`, method: 'POST', body: { reason, name } } as const
    }
    case 'keep': {
      const { kind: _kind, ...body } = change
      return { path: '/api/records/keeping', method: 'PUT', body } as const
    }
    case 'erase': {
      const { personId, name } = change
      return { path: `/api/records/people/${encodeURIComponent(personId)}`, method: 'DELETE', body: { name } } as const
    }
  }
}

/** Sends a change of records. */
export function useChangeRecords() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: RecordChange) => callApi({ ...requestOf(change), schema: Done }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: RECORDS_KEY }),
  })
}
