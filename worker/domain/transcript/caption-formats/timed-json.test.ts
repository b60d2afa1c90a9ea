import { expect, it } from 'vitest'
import { CAPTION_CUES_MAX } from '#contract/limits.ts'
import { RepairLog } from './repair-log.ts'
import { readTimedJson } from './timed-json.ts'

const CUE = { start: 1, end: 2, text: 'Open it.' }

function read(others: number): number {
  const text = JSON.stringify({ segments: [...Array.from({ length: others }, () => 1), CUE] })
  return readTimedJson({ text, lines: [], log: new RepairLog() }).length
}

it('leaves out what is no caption, and reads nothing of a list of something else to its end', () => {
  expect([read(3), read(CAPTION_CUES_MAX), read(CAPTION_CUES_MAX + 1)]).toEqual([1, 1, 0])
})
