import { expect, it } from 'vitest'
import { readVisitor } from './visitor.ts'

it.each([
  ['loading', false, undefined, undefined, 'loading'],
  ['error', false, undefined, undefined, 'failed'],
  ['ready', true, true, undefined, 'signedIn'],
  ['ready', true, false, undefined, 'signedOut'],
  ['degraded', true, true, undefined, 'signedIn'],
  ['ready', true, false, 'choose-organization', 'needsOrganization'],
  ['ready', true, false, 'reset-password', 'signedOut'],
] as const)('status %s, loaded %s, signed in %s, task %s: %s', (status, isLoaded, isSignedIn, task, visitor) => {
  expect(readVisitor({ status, isLoaded, isSignedIn, task })).toBe(visitor)
})
