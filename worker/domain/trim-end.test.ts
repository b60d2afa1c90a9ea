import { expect, it } from 'vitest'
import { trimEndOf } from './trim-end.ts'

it.each([
  ['a b, ;', /[\s,;]/, 'a b'],
  [' , ', /[\s,]/, ''],
  ['', /\s/, ''],
  ['a 𝒜 👩', /[^\p{L}]/u, 'a 𝒜'],
  ['a\udc00', /[^\p{L}]/u, 'a'],
])('%j without %s at its end is %j', (text, isTrimmed, trimmed) => {
  expect(trimEndOf(text, isTrimmed)).toBe(trimmed)
})
