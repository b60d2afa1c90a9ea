import { describe, expect, it } from 'vitest'
import { findMoments } from './find-moments.ts'
import { openIndex } from './open-index.ts'
import { indexOf, NARRATION, sayAll } from './testing/narration.ts'

const TYRE = { name: 'tyre', fit: 1, indexes: [indexOf()] }
const NOZZLE_TEXTS = [
  'Switch the filling machine off and wait until the belt stands still.',
  'The key for the nozzles hangs beside the door of the machine.',
  'Turn each nozzle to the left and put it into the bath for ten minutes.',
]
const NOZZLE = { name: 'nozzle', fit: 1, indexes: [openIndex({ segments: sayAll(NOZZLE_TEXTS), steps: [] })] }

describe('findMoments', () => {
  it('finds the moment in the training that has it, in the words that are said there', () => {
    const [moment] = findMoments([NOZZLE, TYRE], 'Where is the wrench for the wheel nuts?')
    expect(moment).toMatchObject({ training: TYRE, quote: NARRATION[3], startMs: 18_000, isCovered: true })
  })

  it('gives each training one moment, the likeliest training first', () => {
    const moments = findMoments([TYRE, NOZZLE], 'Where does the key for the nozzles hang?')
    expect(moments[0]?.training).toBe(NOZZLE)
    expect(new Set(moments.map(({ training }) => training)).size).toBe(moments.length)
  })

  it('says of a question that no training covers that it is not covered', () => {
    const moments = findMoments([TYRE, NOZZLE], 'How much does the insurance of the car cost in winter?')
    expect(moments.filter(({ isCovered }) => isCovered)).toEqual([])
  })

  it('finds a moment in whichever language it is asked', () => {
    const german = openIndex({
      segments: sayAll(NOZZLE_TEXTS.map((_, index) => `Satz ${index} über die Düsen und das Bad`)),
      steps: [],
    })
    const both = { ...NOZZLE, indexes: [...NOZZLE.indexes, german] }
    expect(findMoments([both], 'Satz über die Düsen Bad')[0]?.index).toBe(german)
    expect(findMoments([both], 'key for the nozzles')[0]?.index).toBe(both.indexes[0])
  })

  it('finds nothing in a training without words', () => {
    const silent = { name: 'silent', fit: 1, indexes: [openIndex({ segments: [], steps: [] })] }
    expect(findMoments([silent], 'Where is the jack?')).toEqual([])
  })
})
