import { expect, it } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { callWithRetry } from './transfer.ts'

const broken = (status: number) => new ApiError({ status, code: 'x', message: 'Because.' })

function setUp(failures: Error[]) {
  const events: string[] = []
  const timing = {
    wait: async (delayMs: number) => void events.push(`waited ${delayMs}`),
    whenOnline: async () => void events.push('online'),
  }
  const call = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'answer'
  }
  return { events, run: (signal = new AbortController().signal) => callWithRetry(call, timing, signal) }
}

it('waits for the line before every try, longer each time [fault 1]', async () => {
  const { run, events } = setUp([broken(0), broken(503)])
  expect(await run()).toBe('answer')
  expect(events).toEqual(['online', 'waited 1000', 'online', 'waited 2000', 'online'])
})

it('does not repeat what the server has refused', async () => {
  const { run, events } = setUp([broken(404)])
  await expect(run()).rejects.toMatchObject({ status: 404 })
  expect(events).toEqual(['online'])
})

it('gives up after about a minute', async () => {
  const { run, events } = setUp(Array.from({ length: 9 }, () => broken(0)))
  await expect(run()).rejects.toMatchObject({ status: 0 })
  expect(events.filter((event) => event.startsWith('waited'))).toHaveLength(6)
})

it('does not retry after an abort', async () => {
  const { run, events } = setUp([broken(0), broken(0)])
  const abort = new AbortController()
  abort.abort()
  await expect(run(abort.signal)).rejects.toThrow('aborted')
  expect(events).toEqual(['online'])
})
