import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { findWatchedModule, moduleKey } from './module-cache.ts'

it('finds a module that a page has loaded, for as long as that page shows it', () => {
  const queryClient = new QueryClient()
  const observer = new QueryObserver(queryClient, { queryKey: moduleKey('m1'), enabled: true, staleTime: Infinity })
  queryClient.setQueryData(moduleKey('m1'), { id: 'm1' })
  expect(findWatchedModule(queryClient, 'm1')).toBeNull()
  const leave = observer.subscribe(() => {})
  expect(findWatchedModule(queryClient, 'm1')).toEqual({ id: 'm1' })
  expect(findWatchedModule(queryClient, 'm2')).toBeNull()
  leave()
  expect(findWatchedModule(queryClient, 'm1')).toBeNull()
})
