import { describe, expect, it } from 'vitest'
import { makeTranscription, readRecognisedWords } from './transcription.ts'

const OUTPUT = `go to data
<s> 0.000 0.030 1.000300
go 0.040 0.520 1.000300
to(3) 0.530 0.730 0.995609
[NOISE] 0.740 0.900 0.300000
<sil> 0.910 1.140 0.742424
data 1.150 1.210 0.106186
</s> 1.220 1.300 1.000000
the end
<s> 1.310 1.400 1.000000
++COUGH++ 1.400 1.450 1.000000
the(2) 1.450 1.600 0.500000
end 1.610 1.900 0.700000
`

describe('readRecognisedWords', () => {
  it('keeps words with their times, without variants, silence and noise', () => {
    expect(readRecognisedWords(OUTPUT)).toEqual([
      { word: 'go', start: 0.04, end: 0.52, probability: 1 },
      { word: 'to', start: 0.53, end: 0.73, probability: 0.995609 },
      { word: 'data', start: 1.15, end: 1.21, probability: 0.106186 },
      { word: 'the', start: 1.45, end: 1.6, probability: 0.5 },
      { word: 'end', start: 1.61, end: 1.9, probability: 0.7 },
    ])
  })

  it('leaves out a last line that was cut off', () => {
    expect(readRecognisedWords('go 0.040 0.520 1.000300\nto 0.530 0.730 0.99').map(({ word }) => word)).toEqual(['go'])
    expect(readRecognisedWords('go 0.040 0.520 1.000300\nto 0.530 0.730 0.995609').map(({ word }) => word)).toEqual([
      'go',
    ])
  })

  it('finds no words in no output', () => {
    expect(readRecognisedWords('')).toEqual([])
  })
})

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
