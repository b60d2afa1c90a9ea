import { describe, expect, it } from 'vitest'
import { makeBlock } from '#contract/testing/examples.ts'
import { describeImage } from './describe-image.ts'

const line = (text: string, startMs: number, y: number, height: number) =>
  makeBlock(text, startMs, { endMs: startMs + 10_000, kind: 'other', box: { x: 0, y, width: 0.2, height } })

const STEP = { startMs: 0, endMs: 30_000 }

describe('describeImage', () => {
  it('has the largest lines of the moment, from the top', () => {
    const blocks = [
      line('small', 0, 0.1, 0.01),
      line('Export', 0, 0.5, 0.03),
      line('Photos', 0, 0.2, 0.05),
      line('PDF', 0, 0.6, 0.03),
      line('late', 5_001, 0.1, 0.2),
    ]
    expect(describeImage(blocks, STEP)).toBe('Photos, Export, PDF')
    expect(describeImage(blocks, { ...STEP, imageAt: 12 })).toBe('late')
    expect(describeImage(blocks, { ...STEP, imageAt: 20 })).toBe('')
    expect(describeImage(blocks, { ...STEP, imageAt: 'none' })).toBe('')
  })

  it('is short, and says nothing twice', () => {
    const long = 'word '.repeat(30).trim()
    const blocks = [line(long, 0, 0.1, 0.1), line('Save', 0, 0.2, 0.1), line('Save', 0, 0.3, 0.1)]
    expect(describeImage(blocks, STEP)).toBe(long)
    expect(describeImage(blocks.slice(1), STEP)).toBe('Save')
  })
})
