import { expect, test } from 'vitest'
import { ACCEPT_CAPTIONS, captionTypeOf } from './files.ts'

test.each([
  ['a.vtt', 'text/vtt'],
  ['a.b.SRT', 'application/x-subrip'],
  ['a.sub', 'text/x-microdvd'],
  ['a.sbv', 'text/plain'],
  ['a.dfxp', 'application/ttml+xml'],
  ['a.docx', null],
  ['vtt', null],
])('%s is %s', (name, expected) => expect(captionTypeOf({ name })).toBe(expected))

test('an input for captions takes the endings that the server takes', () => {
  expect(ACCEPT_CAPTIONS).toBe('.vtt,.srt,.ttml,.dfxp,.xml,.ass,.ssa,.sub,.sbv,.lrc,.txt,.json')
})
