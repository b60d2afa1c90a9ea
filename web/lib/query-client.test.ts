import { focusManager, MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { canPass, makeQueryClient, retryUpTo, throttleFocusRefetch } from './query-client.ts'

function failed(status: number) {
  return new ApiError({ status, code: 'x', message: 'x' })
}

describe('canPass', () => {
  it.each([0, 429, 500, 503])('a failure with status %i may pass', { tags: 'fault-46' }, (status) => {
    expect(canPass(failed(status))).toBe(true)
  })

  it.each([400, 401, 404, 409, 422])('a failure with status %i stays', (status) => {
    expect(canPass(failed(status))).toBe(false)
  })
})

describe('retryUpTo', () => {
  it.each([
    [500, [true, true, false]],
    [404, [false, false, false]],
  ])('repeats a failure with status %i after 0, 1 and 2 others: %j', (status, repeats) => {
    const { retry } = retryUpTo(2, () => 1_000)
    expect([0, 1, 2].map((failures) => retry(failures, failed(status)))).toEqual(repeats)
  })
})

describe('makeQueryClient', () => {
  it('shares what is younger than two seconds and tries again after five', { tags: 'spec-9.14' }, () => {
    const { queries } = makeQueryClient().getDefaultOptions()
    expect(queries?.staleTime).toBe(2_000)
    expect(callDelay(queries?.retryDelay)).toBe(5_000)
  })

  it('waits ten seconds on a slow network', { tags: 'spec-9.15' }, () => {
    vi.stubGlobal('navigator', { connection: { effectiveType: '2g' } })
    expect(callDelay(makeQueryClient().getDefaultOptions().queries?.retryDelay)).toBe(10_000)
    vi.unstubAllGlobals()
  })

  it('fails a mutation without a connection instead of waiting', async () => {
    const sent = vi.fn(() => Promise.reject(failed(0)))
    const action = new MutationObserver(makeQueryClient(), { mutationFn: sent })
    onlineManager.setOnline(false)
    await expect(Promise.race([action.mutate(), pause(50)])).rejects.toThrow(ApiError)
    onlineManager.setOnline(true)
    expect(sent).toHaveBeenCalledTimes(1)
  })
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function callDelay(delay: unknown): number {
  return (delay as (attempt: number, error: Error) => number)(0, failed(500))
}

describe('throttleFocusRefetch', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('answers a second return within five seconds at their end, once', { tags: 'spec-9.16' }, () => {
    throttleFocusRefetch()
    const onFocus = vi.fn()
    const unsubscribe = focusManager.subscribe(onFocus)
    const comeBack = () => document.dispatchEvent(new Event('visibilitychange'))
    comeBack()
    vi.advanceTimersByTime(0)
    expect(onFocus).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1_000)
    comeBack()
    comeBack()
    vi.advanceTimersByTime(3_999)
    expect(onFocus).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(onFocus).toHaveBeenCalledTimes(2)
    unsubscribe()
  })
})
