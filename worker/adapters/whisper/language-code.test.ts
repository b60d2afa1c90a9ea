import { describe, expect, it } from 'vitest'
import { languageCode } from './language-code.ts'

describe('languageCode', () => {
  it.each([
    ['en', 'en'],
    ['EN-us', 'en'],
    ['english', 'en'],
    ['Hindi', 'hi'],
    ['mandarin', 'zh'],
    ['bengali', 'bn'],
    ['haitian creole', 'ht'],
    ['norwegian', 'no'],
    ['klingon', null],
    ['', null],
    [null, null],
  ])('reads %j as %j', (name, code) => {
    expect(languageCode(name)).toBe(code)
  })
})
