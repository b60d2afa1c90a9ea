import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetOwn, isOwn, keepOwn } from './own-modules.ts'

beforeEach(() => localStorage.clear())
afterEach(() => void vi.restoreAllMocks())

describe('keepOwn', () => {
  test('keeps the last 300 modules', () => {
    for (let number = 0; number <= 300; number++) keepOwn(`m${number}`)
    keepOwn('m1')
    keepOwn('m301')
    expect([isOwn('m0'), isOwn('m1')]).toEqual([false, true])
    expect([isOwn('m2'), isOwn('m301')]).toEqual([false, true])
  })

  test('forgets a module that its owner is to be trained on', () => {
    for (const id of ['m1', 'm2']) keepOwn(id)
    forgetOwn('m1')
    expect([isOwn('m1'), isOwn('m2')]).toEqual([false, true])
  })

  test.each(['{', '7', '{"a":1}', 'null'])('is not upset by %s in the storage', (text) => {
    localStorage.setItem('adapt_own', text)
    expect(isOwn('m1')).toBe(false)
    keepOwn('m1')
    expect(isOwn('m1')).toBe(true)
  })

  test('owns no module where the browser has no storage', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError')
    })
    keepOwn('m1')
    expect(isOwn('m1')).toBe(false)
  })
})
