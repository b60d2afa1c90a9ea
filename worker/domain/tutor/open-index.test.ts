import { expect, it } from 'vitest'
import { openIndex } from './open-index.ts'

it('gives words on both sides of a pause to the step that was said last', () => {
  const steps = ['Open the lid', 'Close the lid'].map((title, at) => {
    return { id: `s${at}`, title, description: '', aliases: [], start: at * 107, end: at * 107 + 18 }
  })
  const segments = [
    { id: 'a', startMs: 0, endMs: 18_000, text: 'Open the lid and wait.' },
    { id: 'b', startMs: 107_000, endMs: 125_000, text: 'Now close it again.' },
  ]
  const { stepsOfPassages } = openIndex({ segments, steps })
  expect(stepsOfPassages[0]?.id).toBe('s0')
})
