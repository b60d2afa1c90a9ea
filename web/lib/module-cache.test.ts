import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { makeModule } from '#contract/testing/examples.ts'
import { changeCachedModule, findWatchedModule, type LoadedModule, moduleKey, showBegunRun } from './module-cache.ts'

const MESSAGE = 'Waiting for its turn'
const BEGUN = { status: 'PROCESSING', progress: 0, message: MESSAGE } as const

/** A page that has a module, which the server is not asked for again. */
function openPage(fields: Parameters<typeof makeModule>[0]) {
  const queryClient = new QueryClient()
  const module = makeModule({ id: 'm1', ...fields })
  queryClient.setQueryData(moduleKey('m1'), module)
  return { queryClient, read: () => queryClient.getQueryData<LoadedModule>(moduleKey('m1')) }
}

describe('showBegunRun', () => {
  it('shows the run of a failed module as the module itself', async () => {
    const { queryClient, read } = openPage({ status: 'FAILED' })
    await showBegunRun(queryClient, 'm1', MESSAGE)
    expect(read()).toMatchObject({ ...BEGUN, newVersion: null })
  })

  it('leaves a READY module as it is, with the run as its new version, the next after one that failed', async () => {
    const failed = { status: 'FAILED', run: 3, progress: 20, message: '', lastError: 'No.', failureCode: null } as const
    const { queryClient, read } = openPage({ status: 'READY', newVersion: failed })
    await showBegunRun(queryClient, 'm1', MESSAGE)
    expect(read()).toMatchObject({
      status: 'READY',
      newVersion: { ...BEGUN, run: 4, lastError: null, failureCode: null },
    })
  })

  it('keeps the progress of a new version whose event came before the answer', async () => {
    const { queryClient, read } = openPage({ status: 'READY' })
    const newVersion = { ...BEGUN, run: 2, progress: 40, message: 'Listening', lastError: null, failureCode: null }
    changeCachedModule(queryClient, 'm1', { newVersion })
    await showBegunRun(queryClient, 'm1', MESSAGE)
    expect(read()?.newVersion).toEqual(newVersion)
  })
})

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
