import { expect, it, vi } from 'vitest'
import { guardLeaving } from './leave-guard.ts'
import { fakeUploads, MIB, makeVideo, PART_ANSWERS } from './testing/fake-uploads.ts'

/** @returns whether the browser would ask. */
function leave(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

it('asks while bytes are moving, and at no other time', async () => {
  const { manager, storage } = fakeUploads(PART_ANSWERS)
  guardLeaving(manager)
  expect(leave()).toBe(false)
  manager.addFiles([makeVideo('talk.mp4', 20 * MIB)])
  await vi.waitFor(() => expect(storage.puts).toHaveLength(3))
  expect(leave()).toBe(true)
  manager.setPaused(true)
  expect(leave()).toBe(false)
  manager.setPaused(false)
  expect(leave()).toBe(true)
  manager.cancel()
  expect(leave()).toBe(false)
})
