import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublishableKey } from './publishable-key.ts'

const keyOf = (kind: string, host: string) => `pk_${kind}_${btoa(host)}`

describe('isPublishableKey', () => {
  it.each([keyOf('test', 'brave-cat-1.clerk.accounts.dev$'), keyOf('live', 'clerk.localhost.test$')])(
    'accepts %s',
    (key) => expect(isPublishableKey(key)).toBe(true),
  )

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['a word', 'hello'],
    ['not base64', 'pk_test_!!!'],
    ['base64 of the wrong length', 'pk_test_abcde'],
    ['a secret key', keyOf('test', 'clerk.example.com$').replace('pk_', 'sk_')],
    ['another kind', keyOf('demo', 'clerk.example.com$')],
    ['without the closing $', keyOf('live', 'clerk.example.com')],
    ['with a second $', keyOf('live', 'clerk.example.com$$')],
    ['a host without a dot', keyOf('live', 'localhost$')],
    ['with spaces around it', ` ${keyOf('live', 'clerk.example.com$')} `],
  ])('refuses a key that is %s', { tags: 'spec-5.4' }, (_, key) => expect(isPublishableKey(key)).toBe(false))

  it('never throws, whatever the build was given', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublishableKey(`pk_live_${text}`) || atobEndsRight(text)))
  })
})

function atobEndsRight(text: string): boolean {
  return atob(text).endsWith('$')
}
