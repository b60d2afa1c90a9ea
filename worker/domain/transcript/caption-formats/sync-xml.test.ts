import { expect, it } from 'vitest'
import { splitLines } from './raw-cue.ts'
import { RepairLog } from './repair-log.ts'
import { readSyncXml } from './sync-xml.ts'

const readTexts = (text: string) =>
  readSyncXml({ text, lines: splitLines(text), log: new RepairLog() }).map(({ lines }) => lines.join('|'))

it('leaves out comments, and what follows one that is never closed', () => {
  expect(readTexts('<SAMI><SYNC Start=1>Open <!-- not\nthis -->it<SYNC Start=2000>Close it<!-- end')).toEqual([
    'Open it',
    'Close it',
  ])
})

it('reads comments that are never closed once', () => {
  // Quadratic time would be minutes: the test would not end.
  expect(readTexts(`<SAMI><SYNC Start=1>Open it${'<!--'.repeat(400_000)}`)).toEqual(['Open it'])
})
