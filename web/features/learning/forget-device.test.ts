import { beforeEach, expect, it, vi } from 'vitest'
import { keepPerson } from '#web/lib/device/device-person.ts'
import { forgetDevice } from './forget-device.ts'
import { keepLearned, NOTHING_LEARNED, readLearned } from './learned.ts'

beforeEach(() => localStorage.clear())

it('forgets what was seen, and keeps what is not sent yet and how the player is set', () => {
  const place = { who: 'anyone', moduleId: 'm1' }
  keepLearned(place, { before: NOTHING_LEARNED, seen: [[0, 5]], isCompleted: true })
  localStorage.setItem('adapt_played:anyone:m1:s1', '{}')
  localStorage.setItem('adapt_player', '{}')
  localStorage.setItem('adapt_positions', '{}')
  localStorage.setItem('adapt_asked_again:m1', '{}')
  localStorage.setItem('adapt_confirmed:anna:m1:v1', '{}')
  keepPerson('anna')
  forgetDevice()
  expect(readLearned(place)).toEqual(NOTHING_LEARNED)
  const left = ['adapt_confirmed:anna:m1:v1', 'adapt_played:anyone:m1:s1', 'adapt_player']
  expect(Object.keys(localStorage).toSorted()).toEqual(left)
})

it('works where the browser keeps nothing', () => {
  const refused = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError')
  })
  expect(forgetDevice).not.toThrow()
  refused.mockRestore()
})
