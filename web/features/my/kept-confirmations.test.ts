import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { keepPerson } from '#web/lib/device/device-person.ts'
import {
  ConfirmationCourier,
  type KeptConfirmation,
  keepConfirmation,
  listConfirmations,
} from './kept-confirmations.ts'

const UNREACHED = new ApiError({ status: 0, code: 'network', message: 'No connection.' })
const CONFIRMATION: KeptConfirmation = { linkId: 'm1', personId: 'anna', version: 'v1', language: 'en', offlineAtMs: 5 }

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  keepPerson('anna')
  keepConfirmation(CONFIRMATION)
})
afterEach(() => vi.useRealTimers())

it('sends again until the server has answered', async () => {
  const send = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(UNREACHED).mockResolvedValue({})
  const onSettled = vi.fn()
  const close = new ConfirmationCourier({ send, onSettled }).open()
  await vi.advanceTimersByTimeAsync(0)
  expect(onSettled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(send).toHaveBeenCalledTimes(2)
  expect(onSettled.mock.calls).toEqual([[null]])
  expect(listConfirmations('anna')).toEqual([])
  close()
})

it('sends nothing more once it is closed, also where it was sending', async () => {
  const answer = Promise.withResolvers<never>()
  const send = vi.fn(() => answer.promise)
  const close = new ConfirmationCourier({ send, onSettled: () => undefined }).open()
  close()
  answer.reject(UNREACHED)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(send).toHaveBeenCalledTimes(1)
  expect(listConfirmations('anna')).toEqual([CONFIRMATION])
})
