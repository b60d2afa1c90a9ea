import { expect, it } from 'vitest'
import { type FailureCode, isRecoverableByNewRun, ReadStatus } from './module.ts'

it.each([
  ['PROCESSING', 'PROCESSING'],
  ['processing', 'PROCESSING'],
  ['READY', 'READY'],
  ['ready', 'READY'],
  ['COMPLETED', 'READY'],
  ['completed', 'READY'],
  ['FAILED', 'FAILED'],
  ['failed', 'FAILED'],
])('reads the status %s as %s', { tags: 'spec-4.1' }, (written, status) => {
  expect(ReadStatus.parse(written)).toBe(status)
})

it.each<FailureCode | null>(['gave_up', 'ai_unavailable', 'ai_quota', 'minutes_quota', 'source_missing', null])(
  'offers a new run after %s',
  (code) => expect(isRecoverableByNewRun(code)).toBe(true),
)

it.each<FailureCode>([
  'unreadable',
  'truncated',
  'encrypted',
  'source_changed',
  'no_audio',
  'not_understood',
  'no_narration',
  'captions_elsewhere',
])('offers no new run after %s, which would end the same way', (code) =>
  expect(isRecoverableByNewRun(code)).toBe(false),
)
