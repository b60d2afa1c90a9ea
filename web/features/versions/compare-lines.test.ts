import { describe, expect, it } from 'vitest'
import { compareLines } from './compare-lines.ts'

const line = (id: string, start: number, text: string) => ({ id, start, text })

describe('compareLines', () => {
  it('finds lines that were corrected, added and left out, in order of time', () => {
    const before = [line('a', 0, 'Open the lit.'), line('b', 5, 'Um.'), line('c', 9, 'Close it.')]
    const after = [line('a', 0, 'Open the lid.'), line('d', 4, 'Look.'), line('c', 9.5, 'Close it.')]
    expect(compareLines(before, after)).toEqual([
      { id: 'a', start: 0, before: 'Open the lit.', after: 'Open the lid.' },
      { id: 'd', start: 4, before: '', after: 'Look.' },
      { id: 'b', start: 5, before: 'Um.', after: '' },
    ])
  })

  it('finds nothing where only times differ', () => {
    expect(compareLines([line('a', 0, 'Same.')], [line('a', 1, 'Same.')])).toEqual([])
  })
})
