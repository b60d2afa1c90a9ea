import { expect, it } from 'vitest'
import { nameOf } from './name-of.ts'

const USER = { fullName: 'Anna Berg', username: null, primaryEmailAddress: { emailAddress: 'anna@adapt.example' } }

it.each([
  [USER, 'Anna Berg'],
  [{ ...USER, fullName: ' ' }, 'anna@adapt.example'],
  [{ ...USER, fullName: null, username: 'anna' }, 'anna'],
  [{ ...USER, fullName: 'x'.repeat(200) }, 'x'.repeat(100)],
  [null, '?'],
])('%o is called %s', (user, name) => {
  expect(nameOf(user)).toBe(name)
})
