import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { callWithRetry, timing } from './call-with-retry.ts'
import { storageError } from './upload-error.ts'

const broken = (status: number) => new ApiError({ status, code: 'x', message: 'Because.' })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs until the call has ended, and says when it was made and what came of it. */
async function run(failures: Error[]) {
  vi.setSystemTime(0)
  const events: string[] = []
  const call = async () => {
    events.push(`called after ${Date.now()}`)
    const failure = failures.shift()
    if (failure) throw failure
    return 'answer'
  }
  const whenOnline = async () => void events.push('online')
  const result = callWithRetry(call, { ...timing, whenOnline })
  const [outcome] = await Promise.all([Promise.allSettled([result]), vi.runAllTimersAsync()])
  return { outcome: outcome[0], events }
}

it('waits for the line before every try, longer each time', { tags: 'fault-1' }, async () => {
  const { outcome, events } = await run([broken(0), broken(503)])
  expect(outcome).toMatchObject({ value: 'answer' })
  expect(events).toEqual(['online', 'called after 0', 'online', 'called after 1000', 'online', 'called after 3000'])
})

it.each([broken(404), storageError(400)])('does not repeat what has been refused: %s', async (refusal) => {
  const { outcome, events } = await run([refusal])
  expect(outcome).toMatchObject({ reason: refusal })
  expect(events).toEqual(['online', 'called after 0'])
})

it('repeats what the storage can take later', async () => {
  expect((await run([storageError(503), storageError(0)])).outcome).toMatchObject({ value: 'answer' })
})

it('gives up after about a minute', async () => {
  const { outcome, events } = await run(Array.from({ length: 9 }, () => broken(0)))
  expect(outcome).toMatchObject({ reason: { status: 0 } })
  expect(events.at(-1)).toBe('called after 61000')
})

it('does not retry after an abort', async () => {
  const abort = new AbortController()
  const call = vi.fn(async () => {
    abort.abort()
    throw broken(0)
  })
  await expect(callWithRetry(call, { ...timing, signal: abort.signal })).rejects.toThrow('aborted')
  expect(call).toHaveBeenCalledOnce()
})
