import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeQueryRefresher } from './use-training-updates.ts'

const queryKey = ['steps', 'm1']
let answerMs: number
let calls: number
let stopWatching: () => void

async function watch(isFresh?: () => boolean) {
  const queryClient = new QueryClient()
  const queryFn = async () => {
    const call = ++calls
    await new Promise((resolve) => setTimeout(resolve, answerMs))
    return call
  }
  stopWatching = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(answerMs)
  calls = 0
  return { queryClient, ...makeQueryRefresher({ queryClient, queryKey, isFresh }) }
}

beforeEach(() => {
  vi.useFakeTimers()
  answerMs = 50
  calls = 0
})

afterEach(() => {
  stopWatching()
  vi.useRealTimers()
})

describe('makeQueryRefresher', () => {
  test('asks at once, and for a storm of changes at most once a second', async () => {
    const { refresh } = await watch()
    refresh()
    expect(calls).toBe(1)
    for (let change = 0; change < 40; change++) {
      await vi.advanceTimersByTimeAsync(50)
      refresh()
    }
    expect(calls).toBe(3)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls).toBe(4)
  })

  test('lets a slow answer arrive, and loads once more for changes in between', async () => {
    answerMs = 3_000
    const { queryClient, refresh } = await watch()
    for (let change = 0; change < 29; change++) {
      refresh()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(calls).toBe(1)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(calls).toBe(2)
    expect(queryClient.getQueryData(queryKey)).toBe(2)
  })

  test('follows an answer that was under way with another one, unless it was new enough', async () => {
    for (const isFresh of [false, true]) {
      const { queryClient, refresh } = await watch(() => isFresh)
      void queryClient.refetchQueries({ queryKey })
      refresh()
      await vi.advanceTimersByTimeAsync(2_000)
      expect(calls).toBe(isFresh ? 1 : 2)
      stopWatching()
    }
  })

  test('asks no more once stopped', async () => {
    const { refresh, stop } = await watch()
    refresh()
    await vi.advanceTimersByTimeAsync(100)
    refresh()
    stop()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(calls).toBe(1)
  })
})
