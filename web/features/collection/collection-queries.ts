import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import {
  type Collection,
  CollectionAnswer,
  CollectionListAnswer,
  type CollectionPatch,
  type NewCollection,
} from '#contract/collection.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { MODULES_KEY } from '#web/lib/module-cache.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'

const PATH = '/api/collections'
/** Below the lists of modules: whatever makes these stale makes collections stale, too. */
const COLLECTIONS_KEY = [...MODULES_KEY, 'collections'] as const
const keyOf = (id: string) => [...COLLECTIONS_KEY, id] as const

/** The collections of the active organization, otherwise of the caller, newest first. */
export function collectionsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: COLLECTIONS_KEY,
    queryFn: async ({ signal }) => (await callApi({ path: PATH, schema: CollectionListAnswer, signal })).collections,
  })
}

export function collectionQuery(callApi: CallApi, id: string) {
  return queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) =>
      (await callApi({ path: `${PATH}/${encodeURIComponent(id)}`, schema: CollectionAnswer, signal })).collection,
  })
}

export function useMakeCollection(onMade: (collection: Collection) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: NewCollection) =>
      (await callApi({ path: PATH, method: 'POST', body, schema: CollectionAnswer })).collection,
    onSuccess: (collection) => {
      queryClient.setQueryData(keyOf(collection.id), collection)
      void queryClient.invalidateQueries({ queryKey: COLLECTIONS_KEY, exact: true })
      onMade(collection)
    },
    onError: (error) => toast.error(m.failed_to_create_the_collection(), { description: error.message }),
  })
}

/** Changes a collection on the screen at once and then on the server; reverts what the server refuses. */
export function useChangeCollection(id: string) {
  const callApi = useApi()
  return useOptimisticMutation({
    // One after the other, or two quick changes could arrive the other way round.
    scope: { id: `change-collection-${id}` },
    mutationFn: ({ patch }: { patch: CollectionPatch; shown: Partial<Collection> }) =>
      callApi({ path: `${PATH}/${encodeURIComponent(id)}`, method: 'PATCH', body: patch, schema: CollectionAnswer }),
    edits: ({ shown: changedFields }) => [
      makeEdit<Collection>(keyOf(id), (collection) => ({ ...collection, ...changedFields })),
    ],
    stale: () => [COLLECTIONS_KEY],
    failure: m.failed_to_change_the_collection(),
  })
}

export function useDeleteCollection(id: string, onDeleted: () => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callApi({ path: `${PATH}/${encodeURIComponent(id)}`, method: 'DELETE', schema: Done }),
    onSuccess: () => {
      onDeleted()
      toast.success(m.the_collection_was_deleted())
      return queryClient.invalidateQueries({ queryKey: COLLECTIONS_KEY, exact: true })
    },
    onError: (error) => toast.error(m.failed_to_delete_the_collection(), { description: error.message }),
  })
}
