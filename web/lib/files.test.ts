import { expect, test } from 'vitest'
import { ACCEPT_CAPTIONS, captionTypeOf } from './files.ts'

test.each([
  ['a.vtt', 'text/vtt'],
  ['a.b.SRT', 'application/x-subrip'],
  ['a.sub', null],
  ['vtt', null],
])('%s is %s', (name, expected) => expect(captionTypeOf({ name })).toBe(expected))

test('an input for captions takes the endings and types that the server takes', () => {
  expect(ACCEPT_CAPTIONS).toBe('.vtt,.srt,text/vtt,application/x-subrip')
})
