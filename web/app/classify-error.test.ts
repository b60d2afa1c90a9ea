import { describe, expect, it } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { classifyError } from './classify-error.ts'

const api = (status: number, code: string) => new ApiError({ status, code, message: 'No' })

describe('classifyError', () => {
  it.each([
    ['network', new TypeError('Failed to fetch dynamically imported module: http://x/assets/a.js')],
    ['network', new TypeError('error loading dynamically imported module: http://x/assets/a.js')],
    ['network', new TypeError('Importing a module script failed.')],
    ['network', new TypeError('Failed to fetch')],
    ['network', new TypeError('NetworkError when attempting to fetch resource.')],
    ['network', api(0, 'network')],
    ['timeout', new DOMException('The operation timed out', 'TimeoutError')],
    ['timeout', new Error('Request timeout')],
    ['timeout', api(0, 'timeout')],
    ['syntax', new SyntaxError('Unexpected token < in JSON at position 0')],
    ['syntax', new Error('Unexpected response (not JSON)')],
    ['syntax', api(200, 'bad_answer')],
    ['auth', Object.assign(new Error('failed to load'), { name: 'ClerkRuntimeError' })],
    ['auth', new Error('Unauthorized')],
    ['auth', api(401, 'unauthenticated')],
    ['auth', api(403, 'forbidden')],
    ['configuration', new Error('@clerk/react: Missing publishableKey. You can get your key at …')],
    ['other', new TypeError("Cannot read properties of undefined (reading 'map')")],
    ['other', api(500, 'internal')],
    ['other', 'a thrown text'],
    ['other', undefined],
  ])('calls it %s: %s', { tags: 'spec-2.32' }, (kind, error) => {
    expect(classifyError(error)).toBe(kind)
  })
})
