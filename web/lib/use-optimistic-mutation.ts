import {
  matchQuery,
  type Query,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { toast } from 'sonner'

/** How a change is shown in all queries below a key. */
export interface CacheEdit {
  queryKey: QueryKey
  apply: (data: unknown) => unknown
}

export function makeEdit<Data>(queryKey: QueryKey, apply: (data: Data) => Data): CacheEdit {
  return { queryKey, apply: (data) => data && apply(data as Data) }
}

export function applyEdits(queryClient: QueryClient, edits: readonly CacheEdit[]): void {
  for (const { queryKey, apply } of edits) queryClient.setQueriesData({ queryKey }, apply)
}

/** The changes that are shown before the server has answered. */
interface OpenChanges {
  /** How many the server has not answered. */
  count: number
  /** What queries had before the first of them. */
  before: Map<Query, unknown>
  /** In order, with those that succeeded, without those that failed. */
  edits: readonly CacheEdit[]
  /** What is to be loaded again once the last is answered. */
  stale: QueryKey[]
}

const openChanges = new WeakMap<QueryClient, OpenChanges>()

interface OptimisticOptions<Answer, Variables>
  extends Pick<UseMutationOptions<Answer, Error, Variables, CacheEdit[]>, 'mutationFn' | 'scope' | 'onSuccess'> {
  edits: (variables: Variables) => CacheEdit[]
  /**
   * Queries that are loaded again after the change. After a failed change its edited queries are too, because the
   * server may have made the change although its answer was lost.
   */
  stale: (variables: Variables) => readonly QueryKey[]
  /** Message that is shown when the server refuses the change. */
  failure: string
}

/**
 * Shows a change at once, and undoes it if the server refuses; other changes that were made meanwhile stay. The queries
 * are loaded again only after the last open change, because an earlier answer could lack the later ones.
 */
export function useOptimisticMutation<Answer, Variables>(options: OptimisticOptions<Answer, Variables>) {
  const { edits, stale, failure, ...rest } = options
  const queryClient = useQueryClient()
  return useMutation({
    ...rest,
    onMutate: async (variables) => {
      const own = edits(variables)
      const open = getOpen(queryClient)
      open.count++
      // An answer that is on its way would bring the old state back.
      await Promise.all(own.map(({ queryKey }) => queryClient.cancelQueries({ queryKey })))
      for (const query of findEdited(queryClient, own)) {
        if (!open.before.has(query)) open.before.set(query, query.state.data)
      }
      open.edits = [...open.edits, ...own]
      applyEdits(queryClient, own)
      return own
    },
    onError: (error, _, own = []) => {
      const open = getOpen(queryClient)
      open.edits = open.edits.filter((edit) => !own.includes(edit))
      for (const query of findEdited(queryClient, own)) {
        const others = open.edits.filter(({ queryKey }) => matchQuery({ queryKey }, query))
        const data = others.reduce((editedData, { apply }) => apply(editedData), open.before.get(query))
        queryClient.setQueryData(query.queryKey, data)
      }
      open.stale.push(...own.map(({ queryKey }) => queryKey))
      toast.error(failure, { description: error.message })
    },
    onSettled: (_data, _error, variables) => {
      const open = getOpen(queryClient)
      open.stale.push(...stale(variables))
      if (--open.count > 0) return
      openChanges.delete(queryClient)
      // The caller learns at once that the server refused, also where loading again takes long.
      void queryClient.invalidateQueries({
        predicate: (query) => open.stale.some((queryKey) => matchQuery({ queryKey }, query)),
      })
    },
  })
}

function getOpen(queryClient: QueryClient): OpenChanges {
  const open = openChanges.get(queryClient) ?? { count: 0, before: new Map(), edits: [], stale: [] }
  openChanges.set(queryClient, open)
  return open
}

function findEdited(queryClient: QueryClient, edits: readonly CacheEdit[]): Query[] {
  return edits.flatMap(({ queryKey }) => queryClient.getQueryCache().findAll({ queryKey }))
}
