import { expect, test } from 'vitest'
import { captionTypeOf } from './files.ts'

test.each([
  ['a.vtt', 'text/vtt'],
  ['a.b.SRT', 'application/x-subrip'],
  ['a.sub', null],
  ['vtt', null],
])('%s is %s', (name, expected) => expect(captionTypeOf({ name })).toBe(expected))
