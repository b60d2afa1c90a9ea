import { afterEach, expect, it, vi } from 'vitest'
import { copyQueue } from '#web/features/upload/small-copy/copy-queue.ts'
import { makeItem } from '#web/features/upload/upload-item.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { workOnUpload } from './work-on-upload.ts'

function tell(name: 'connection' | 'getBattery', value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true })
}

afterEach(() => {
  copyQueue.stop()
  tell('connection', undefined)
  tell('getBattery', undefined)
})

/** Of the training no screen can be read: the server knows it no longer. What asks after that gets no answer. */
async function listWaiting(isOver = () => false): Promise<readonly string[]> {
  let calls = 0
  const callApi = (() => {
    calls += 1
    const gone = new ApiError({ status: 404, code: 'not_found', message: 'There is none.' })
    return calls === 1 ? Promise.reject(gone) : new Promise(() => {})
  }) as unknown as CallApi
  const item = { ...makeItem(new File(['x'], 'a.mp4')), attempt: { moduleId: 'm1' } }
  const options = { callApi, isBusy: () => false, isOver, wait: () => Promise.resolve() }
  await workOnUpload(item as unknown as Parameters<typeof workOnUpload>[0], options)
  return copyQueue.store.getState().moduleIds
}

it('makes the small copy of what was uploaded', async () => {
  expect(await listWaiting()).toEqual(['m1'])
})

it.each([
  ['data is to be spared', 'connection', { saveData: true }],
  ['the battery is low', 'getBattery', async () => ({ charging: false, level: 0.4 })],
] as const)('makes none where %s', async (_, name, value) => {
  tell(name, value)
  expect(await listWaiting()).toEqual([])
})

it('waits while data is to be spared', async () => {
  const connection = { saveData: false }
  tell('connection', connection)
  const add = vi.spyOn(copyQueue, 'add')
  await listWaiting()
  const isSparing = add.mock.calls[0]?.[1].isSparing
  expect(isSparing?.()).toBe(false)
  connection.saveData = true
  expect(isSparing?.()).toBe(true)
  add.mockRestore()
})

it('makes none after another person has signed in', async () => {
  expect(await listWaiting(() => true)).toEqual([])
})
