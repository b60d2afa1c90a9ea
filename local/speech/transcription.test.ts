import { describe, expect, it } from 'vitest'
import { makeTranscription } from './transcription.ts'

const word = (text: string, start: number, end: number, probability = 1) => ({ word: text, start, end, probability })

describe('makeTranscription', () => {
  it('begins a new segment at a pause of half a second', () => {
    const { segments, text } = makeTranscription(
      [word('open', 0, 0.4), word('it', 0.89, 1), word('then', 1.5, 1.8), word('save', 1.8, 2.2)],
      3,
    )
    expect(text).toBe('open it then save')
    expect(segments.map(({ id, start, end, text: said }) => [id, start, end, said])).toEqual([
      [0, 0, 1, 'open it'],
      [1, 1.5, 2.2, 'then save'],
    ])
  })

  it('tells the mean logarithm of the probabilities, also for a probability of zero', () => {
    const [segment] = makeTranscription([word('a', 0, 1, 1), word('b', 1, 2, 0)], 2).segments
    expect(segment?.avg_logprob).toBeCloseTo(Math.log(1e-6) / 2)
  })

  it('answers silence with no words and no segments', () => {
    expect(makeTranscription([], 12.5)).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 12.5,
      text: '',
      words: [],
      segments: [],
    })
  })
})
