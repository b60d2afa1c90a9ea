import { describe, expect, it } from 'vitest'
import { rankPassages } from './rank-passages.ts'
import { measureSentences, rankSentences, type SentenceSigns } from './rank-sentences.ts'
import { indexOf } from './testing/narration.ts'
import { SENTENCE_WEIGHTS } from './tutor-weights.ts'

const FILLERS = Array.from({ length: 40 }, (_, at) => `That was comment ${at + 50} about music and the weather.`)

/** A recording in whose middle something is said. */
const around = (...said: string[]) => [...FILLERS.slice(0, 20), ...said, ...FILLERS.slice(20)]

function open(said: readonly string[], question: string) {
  const index = indexOf(said, [])
  return { index, ranking: rankPassages(index, { question }) }
}

function findBest(said: readonly string[], question: string): string {
  const { index, ranking } = open(said, question)
  return rankSentences(index, ranking).toSorted((left, right) => right.share - left.share)[0]?.sentence.text ?? ''
}

function signsOf(said: readonly string[], question: string, text: string): SentenceSigns | undefined {
  const { index, ranking } = open(said, question)
  return measureSentences(index, ranking).find(({ sentence }) => sentence.text === text)?.signs
}

describe('rankSentences', () => {
  it.each([
    [
      'the sentence with a number',
      'How many litres does the tank hold?',
      ['The tank is next to the pump.', 'Filled to the mark, the tank holds 40 litres.', 'The tank is made of steel.'],
      'Filled to the mark, the tank holds 40 litres.',
    ],
    [
      'the reason',
      'Why is the valve closed first?',
      ['The valve is closed first.', 'The valve is closed first because oil would run out.', 'The valve is red.'],
      'The valve is closed first because oil would run out.',
    ],
    [
      'the answer to a question that the recording asks itself',
      'Where is the filter?',
      ['Where is the filter?', 'The filter is behind the cover on the left.', 'It is blue.'],
      'The filter is behind the cover on the left.',
    ],
    [
      'the instruction',
      'How do I open the cover?',
      ['The cover is what you open here.', 'Open the cover with the key.', 'The cover is open now.'],
      'Open the cover with the key.',
    ],
  ])('prefers %s', (_, question, said, best) => {
    expect(findBest(around(...said), question)).toBe(best)
  })

  it('counts what is said right beside a sentence', () => {
    const { index, ranking } = open(around('The tank holds oil.', 'It is red.'), 'Where is the tank?')
    const ranked = rankSentences(index, ranking, { ...zeros(), covered: 5 })
    const shareOf = (text: string) => ranked.find(({ sentence }) => sentence.text === text)?.share ?? 0
    expect(shareOf('It is red.')).toBeGreaterThan(0.4)
    expect(shareOf('It is red.')).toBeLessThan(shareOf('The tank holds oil.'))
  })

  it('has nothing for a recording without words', () => {
    const { index, ranking } = open([], 'Where is the tank?')
    expect(rankSentences(index, ranking)).toEqual([])
  })
})

describe('measureSentences', () => {
  it('measures what a sentence has of a question, and what the one before has beside that', () => {
    const said = around('The drain plug is below.', 'The plug takes a wrench.')
    const signs = signsOf(said, 'Which wrench for the drain plug?', 'The plug takes a wrench.')
    expect(signs?.covered).toBeGreaterThan(0.4)
    expect(signs?.exact).toBe(signs?.covered)
    expect(signs?.before).toBeCloseTo(1 - (signs?.covered ?? 0), 5)
    expect(signs).toMatchObject({ bestPassage: 0, number: 0, numberNext: 0, cause: 0, asks: 0, instructs: 0 })
  })

  it('looks for a number in the sentence first, then in the next one, and not for one of the question', () => {
    const said = around('The tank of pump 3 is here.', 'It holds 40 litres.')
    const question = 'How many litres does the tank of pump 3 hold?'
    expect(signsOf(said, question, 'The tank of pump 3 is here.')).toMatchObject({ number: 0, numberNext: 1 })
    expect(signsOf(said, question, 'It holds 40 litres.')).toMatchObject({ number: 1, numberNext: 0 })
    expect(signsOf(said, 'Where is the tank?', 'It holds 40 litres.')).toMatchObject({ number: 0 })
  })

  it('knows introduction and summary by where they stand', () => {
    const said = ['We change the tank today.', ...FILLERS, 'So we have changed the tank.']
    const question = 'Who changes the tank?'
    expect(signsOf(said, question, 'We change the tank today.')).toMatchObject({ opening: 1, closing: 0 })
    expect(signsOf(said, question, 'So we have changed the tank.')).toMatchObject({ opening: 0, closing: 1 })
    expect(signsOf(said, 'What is the last thing about the tank?', 'So we have changed the tank.')).toMatchObject({
      closing: 0,
    })
  })

  it('measures each sentence once, where passages lie side by side', () => {
    const { index, ranking } = open(around('The tank is here.', 'The tank is there.'), 'Where is the tank?')
    const texts = measureSentences(index, ranking).map(({ sentence }) => sentence.startMs)
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts).toEqual(texts.toSorted((left, right) => left - right))
  })
})

const zeros = () => Object.fromEntries(Object.keys(SENTENCE_WEIGHTS).map((name) => [name, 0])) as SentenceSigns
