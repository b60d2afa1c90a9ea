import { expect, test } from 'vitest'
import { ACCEPT_CAPTIONS, captionTypeOf } from './files.ts'

test.each([
  ['a.vtt', 'text/vtt'],
  ['a.b.SRT', 'application/x-subrip'],
  ['a.sub', 'text/x-microdvd'],
  ['a.sbv', 'text/plain'],
  ['a.dfxp', 'application/ttml+xml'],
  ['a.itt', 'application/ttml+xml'],
  ['a.tsv', 'text/tab-separated-values'],
  ['a.CSV', 'text/csv'],
  ['a.smi', 'application/x-sami'],
  ['a.mpl', 'text/x-mpl2'],
  ['a.srv3', 'application/xml'],
  ['a.docx', null],
  ['vtt', null],
])('%s is %s', (name, expected) => expect(captionTypeOf({ name })).toBe(expected))

test('an input for captions takes the endings that the server takes', () => {
  expect(ACCEPT_CAPTIONS).toBe(
    '.vtt,.srt,.ttml,.dfxp,.itt,.xml,.srv1,.srv2,.srv3,.smi,.sami,.ass,.ssa,.sub,.mpl,.sbv,.lrc,.txt,.tsv,.csv,.json,.json3',
  )
})
