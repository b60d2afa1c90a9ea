import { expect, it } from 'vitest'
import { hasSessionHint } from './session-hint.ts'

it.each([
  ['', false],
  ['__client_uat=0', false],
  ['__client_uat=0; __client_uat_nMPGLRhb=0', false],
  ['x__client_uat=1763719200', false],
  ['__client_uat=1763719200', true],
  ['theme=dark; __client_uat_nMPGLRhb=1763719200', true],
])('cookies "%s" hint at a session: %s', (cookies, isLikely) => {
  expect(hasSessionHint(cookies)).toBe(isLikely)
})
