import { expect, it } from 'vitest'
import { SCREEN_BLOCKS_MAX } from '#contract/screen.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { replaceReading } from './replace-reading.ts'

const BEFORE = makeReading([makeBlock('ls', 1_000), makeBlock('pwd', 50_000)], {
  secrets: [
    { startMs: 2_000, endMs: 3_000, kind: 'key' },
    { startMs: 52_000, endMs: 53_000, kind: 'card' },
  ],
})

it('keeps a complete reading until the next one has reached as far', () => {
  const begun = makeReading([makeBlock('ls -a', 1_000)], { readMs: 20_000, isDone: false })
  expect(replaceReading(BEFORE, begun)).toBe(BEFORE)
  const further = { ...begun, readMs: 60_000 }
  expect(replaceReading(BEFORE, further)).toBe(further)
})

it('takes a reading at once in the place of none, of one that had not ended, and of one that reached less far', () => {
  const next = makeReading([makeBlock('ls -a', 1_000)], { readMs: 60_000 })
  expect(replaceReading(null, { ...next, readMs: 1_000, isDone: false })).toMatchObject({ readMs: 1_000 })
  expect(replaceReading({ ...BEFORE, isDone: false }, { ...next, readMs: 1_000, isDone: false })).toMatchObject({
    readMs: 1_000,
  })
  expect(replaceReading(BEFORE, next)).toBe(next)
})

it('keeps what comes after the end of a reading for which the time ran out', () => {
  const shorter = makeReading([makeBlock('ls -a', 1_000)], { readMs: 20_000 })
  expect(replaceReading(BEFORE, shorter)).toEqual({
    readMs: 60_000,
    isDone: true,
    secrets: [{ startMs: 52_000, endMs: 53_000, kind: 'card' }],
    blocks: [makeBlock('ls -a', 1_000), makeBlock('pwd', 50_000)],
  })
})

it('has no more blocks than a reading may have', () => {
  const blocks = (fromMs: number) =>
    Array.from({ length: SCREEN_BLOCKS_MAX }, (_, index) => makeBlock(`line ${index}`, fromMs + 4 * index))
  const whole = replaceReading(makeReading(blocks(30_000)), makeReading(blocks(0), { readMs: 20_000 }))
  expect(whole.blocks).toHaveLength(SCREEN_BLOCKS_MAX)
  expect(whole.blocks[0]?.startMs).toBe(0)
})
