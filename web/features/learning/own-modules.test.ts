import { beforeEach, describe, expect, test } from 'vitest'
import { isOwn, keepOwn } from './own-modules.ts'

beforeEach(() => localStorage.clear())

describe('keepOwn', () => {
  test('keeps the last 300 modules', () => {
    for (let number = 0; number <= 300; number++) keepOwn(localStorage, `m${number}`)
    keepOwn(localStorage, 'm1')
    keepOwn(localStorage, 'm301')
    expect([isOwn(localStorage, 'm0'), isOwn(localStorage, 'm1')]).toEqual([false, true])
    expect([isOwn(localStorage, 'm2'), isOwn(localStorage, 'm301')]).toEqual([false, true])
  })

  test.each(['{', '7', '{"a":1}', 'null'])('is not upset by %s in the storage', (text) => {
    localStorage.setItem('adapt_own', text)
    expect(isOwn(localStorage, 'm1')).toBe(false)
    keepOwn(localStorage, 'm1')
    expect(isOwn(localStorage, 'm1')).toBe(true)
  })

  test('owns no module where the browser has no storage', () => {
    keepOwn(null, 'm1')
    expect(isOwn(null, 'm1')).toBe(false)
  })
})
