import { describe, expect, it } from 'vitest'
import { readHeardWords } from './heard-words.ts'

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

describe('readHeardWords', () => {
  it('keeps words with their times, without variants, silence and noise', () => {
    expect(readHeardWords(OUTPUT)).toEqual([
      { word: 'go', start: 0.04, end: 0.52, probability: 1 },
      { word: 'to', start: 0.53, end: 0.73, probability: 0.995609 },
      { word: 'data', start: 1.15, end: 1.21, probability: 0.106186 },
      { word: 'the', start: 1.45, end: 1.6, probability: 0.5 },
      { word: 'end', start: 1.61, end: 1.9, probability: 0.7 },
    ])
  })

  it('leaves out a last line that was cut off', () => {
    expect(readHeardWords('go 0.040 0.520 1.000300\nto 0.530 0.730 0.99').map(({ word }) => word)).toEqual(['go'])
    expect(readHeardWords('go 0.040 0.520 1.000300\nto 0.530 0.730 0.995609').map(({ word }) => word)).toEqual(['go'])
  })

  it('finds no words in no output', () => {
    expect(readHeardWords('')).toEqual([])
  })
})
