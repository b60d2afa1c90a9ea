import { expect, it } from 'vitest'
import {
  AnyLanguage,
  type FailureCode,
  isRecoverableByCaptions,
  isRecoverableByNewRun,
  isSilent,
  ReadStatus,
} from './module.ts'

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

it('offers captions where speech cannot be had, and not where the video itself is broken', () => {
  expect((['no_audio', 'unnamed', 'ai_busy'] as const).map(isRecoverableByCaptions)).toEqual([true, true, true])
  expect(([null, 'unreadable', 'gave_up'] as const).map(isRecoverableByCaptions)).toEqual([false, false, false])
})

it('takes a video without speech for silent', () => {
  expect((['no_audio', 'no_narration', 'not_understood', null] as const).map(isSilent)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('takes tags of any language, and no other words', () => {
  expect(['en', 'zh-Hans-CN', 'xx'].every((tag) => AnyLanguage.safeParse(tag).success)).toBe(true)
  expect(['', 'English please', 'e'].some((tag) => AnyLanguage.safeParse(tag).success)).toBe(false)
})

it('reads a status that is no text as none', () => expect(ReadStatus.safeParse(7).success).toBe(false))
