import { expect, test } from 'vitest'
import { latinKey } from './player-keys.tsx'

test.each([
  ['л', 'KeyK', 'k'],
  ['ь', 'KeyM', 'm'],
  ['k', 'KeyK', 'k'],
  // Letters that moved on a Latin keyboard mean what is printed on them.
  ['a', 'KeyQ', 'a'],
  ['ö', 'Semicolon', 'ö'],
  ['ArrowLeft', 'ArrowLeft', 'ArrowLeft'],
  ['>', 'Period', '>'],
])('the key %s at %s acts as %s', (key, code, acts) => {
  expect(latinKey({ key, code })).toBe(acts)
})
