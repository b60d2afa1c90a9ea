import { expect, it } from 'vitest'
import type { ScreenBlock } from '#contract/screen.ts'
import { joinBlocks, joinSecrets } from './join-blocks.ts'

const block = (startMs: number, endMs: number, fields: Partial<ScreenBlock> = {}): ScreenBlock => ({
  text: 'Save',
  startMs,
  endMs,
  box: { x: 0.1, y: 0.1, width: 0.1, height: 0.02 },
  kind: 'label',
  confidence: 0.9,
  ...fields,
})

it('joins what a pointer hid for a while, and leaves what is shown later or elsewhere', () => {
  const elsewhere = block(2_000, 9_000, { box: { x: 0.6, y: 0.1, width: 0.1, height: 0.02 } })
  const joined = joinBlocks([
    block(0, 1_000),
    block(3_000, 9_000, { confidence: 0.95 }),
    elsewhere,
    block(60_000, 70_000),
  ])
  expect(joined).toEqual([block(0, 9_000, { confidence: 0.95 }), elsewhere, block(60_000, 70_000)])
})

it('joins what is visible of one secret', () => {
  const key = (startMs: number, endMs: number) => ({ startMs, endMs, kind: 'key' as const })
  const card = { startMs: 500, endMs: 700, kind: 'card' as const }
  expect(joinSecrets([key(0, 1_000), card, key(2_000, 9_000), key(60_000, 61_000)])).toEqual([
    key(0, 9_000),
    card,
    key(60_000, 61_000),
  ])
})
