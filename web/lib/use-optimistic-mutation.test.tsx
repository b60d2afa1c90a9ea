import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { makeEdit, useOptimisticMutation } from './use-optimistic-mutation.ts'

const KEY = ['letters'] as const
const LETTERS = ['a', 'b', 'c', 'd'] as const
type Letter = (typeof LETTERS)[number]

/** A list of letters, which `load` is asked for after the first time, and the answers that removals wait for. */
async function openList(load: () => Promise<Letter[]>) {
  const queryClient = new QueryClient()
  const answers = new Map<Letter, PromiseWithResolvers<void>>()
  const options = {
    mutationFn: (letter: Letter) => answers.get(letter)?.promise ?? Promise.reject(new Error('Not expected')),
    edits: (letter: Letter) => [makeEdit<Letter[]>(KEY, (letters) => letters.filter((one) => one !== letter))],
    stale: () => [KEY],
    failure: 'The letter could not be removed',
  }
  queryClient.setQueryData<Letter[]>(KEY, [...LETTERS])
  const observer = { queryKey: KEY, queryFn: load, retry: false, staleTime: Number.POSITIVE_INFINITY }
  new QueryObserver(queryClient, observer).subscribe(() => {})
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  // Two components that change the same list.
  const hooks = [0, 1].map(() => renderHook(() => useOptimisticMutation(options), { wrapper }).result)
  const ends = new Map<Letter, Promise<unknown>>()
  return {
    reload: () => void queryClient.refetchQueries({ queryKey: KEY }),
    shown: () => queryClient.getQueryData<Letter[]>(KEY)?.join(''),
    remove: (letter: Letter) => {
      answers.set(letter, Promise.withResolvers())
      const { mutateAsync } = hooks[LETTERS.indexOf(letter) % 2]?.current ?? expect.unreachable()
      ends.set(
        letter,
        mutateAsync(letter).catch(() => undefined),
      )
    },
    answer: async (letter: Letter, isRefused: boolean) => {
      if (isRefused) answers.get(letter)?.reject(new Error('Busy.'))
      else answers.get(letter)?.resolve()
      await act(async () => void (await ends.get(letter)))
    },
  }
}

it('shows every open and every successful change, and no refused one, in any order of answers', async () => {
  const answered = fc.shuffledSubarray([...LETTERS], { minLength: LETTERS.length })
  await fc.assert(
    fc.asyncProperty(answered, fc.uniqueArray(fc.constantFrom(...LETTERS)), async (order, refused) => {
      const { shown, remove, answer } = await openList(() => Promise.reject(new Error('Offline')))
      LETTERS.forEach(remove)
      await waitFor(() => expect(shown()).toBe(''))
      const back = new Set<Letter>()
      for (const letter of order) {
        const isRefused = refused.includes(letter)
        if (isRefused) back.add(letter)
        await answer(letter, isRefused)
        expect(shown()).toBe(LETTERS.filter((one) => back.has(one)).join(''))
      }
      cleanup()
    }),
    { numRuns: 30 },
  )
})

it('loads the list again once, after the last answer, which does not wait for it', async () => {
  const loaded = Promise.withResolvers<Letter[]>()
  const load = vi.fn(() => loaded.promise)
  const { shown, remove, answer } = await openList(load)
  remove('a')
  remove('b')
  await answer('b', true)
  expect(load).not.toHaveBeenCalled()
  expect(shown()).toBe('bcd')
  await answer('a', true)
  expect(load).toHaveBeenCalledOnce()
  expect(shown()).toBe('abcd')
  loaded.resolve(['b', 'c'])
  await waitFor(() => expect(shown()).toBe('bc'))
})

it('is not undone by an answer that was on its way', async () => {
  const late = Promise.withResolvers<Letter[]>()
  const load = vi.fn().mockReturnValueOnce(late.promise).mockRejectedValue(new Error('Offline'))
  const { shown, remove, answer, reload } = await openList(load)
  reload()
  remove('a')
  await waitFor(() => expect(shown()).toBe('bcd'))
  late.resolve([...LETTERS])
  await answer('a', false)
  expect(shown()).toBe('bcd')
})
