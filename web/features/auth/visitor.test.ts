import { expect, it } from 'vitest'
import { readVisitor } from './visitor.ts'

it.each([
  ['loading', false, undefined, 'loading'],
  ['error', false, undefined, 'failed'],
  ['ready', true, true, 'signedIn'],
  ['ready', true, false, 'signedOut'],
  ['degraded', true, true, 'signedIn'],
] as const)('status %s, loaded %s, signed in %s: %s', (status, isLoaded, isSignedIn, visitor) => {
  expect(readVisitor({ status, isLoaded, isSignedIn })).toBe(visitor)
})
