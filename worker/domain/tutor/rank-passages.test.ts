import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAround } from './open-index.ts'
import { planAnswer } from './plan-answer.ts'
import { judgeAnswerable, rankPassages } from './rank-passages.ts'
import { indexOf, NARRATION } from './testing/narration.ts'
import { stemTerm } from './words/words.ts'

/** Each sentence is about another thing, so that passages can be distinguished. */
const TALK = NARRATION.flatMap((sentence, at) => [
  sentence,
  `That was part ${at + 20} of the list and we keep on going with the rest of it in a moment.`,
  `Some viewers wrote comment ${at + 50} about music and weather and that has little to do with it.`,
])

function bestText(question: string, asked: { timeMs?: number; stepId?: string } = {}): string {
  const index = indexOf(TALK)
  const [best] = rankPassages(index, { question, ...asked }).passages
  return TALK.slice(best?.firstSegment, (best?.lastSegment ?? 0) + 1).join(' ')
}

describe('rankPassages', () => {
  it.each([
    ['Where is the wrench for the wheel nuts?', 'under the carpet'],
    ['How far has the car to be lifted?', '5 centimetres'],
    ['Who checks the pressure?', 'Maria Fuentes'],
    ['Why would the wheel fall on my foot?', 'fall on your foot'],
    ['How fast may I drive?', '80 kilometres'],
    ['How do you stop the car from rolling?', 'wedge'],
  ])('finds where "%s" is answered', (question, answer) => {
    expect(bestText(question)).toContain(answer)
  })

  it('finds what is meant where the question uses other words and other spellings', () => {
    expect(bestText('How do you fasten the bolts?')).toMatch(/tighten the nuts/)
  })

  it('ranks places with the same words by the word pairs of the question', () => {
    const said = ['The rim of the wheel takes red paint.', 'The paint of the wheel takes a red rim.']
    const texts = TALK.flatMap((text, at) =>
      at === 9 ? [text, said[0] ?? ''] : at === 21 ? [text, said[1] ?? ''] : text,
    )
    const found = (question: string) => {
      const [best] = rankPassages(indexOf(texts), { question }).passages
      return texts.slice(best?.firstSegment, (best?.lastSegment ?? 0) + 1).join(' ')
    }
    expect(found('What takes a red rim?')).toContain(said[1])
    expect(found('What takes red paint?')).toContain(said[0])
  })

  it('sees where a thing gets its name', () => {
    const texts = [...TALK, 'This is known as the gimlet.', ...TALK, 'Look after the gimlet.']
    const { measured } = rankPassages(indexOf(texts), { question: 'What is a gimlet?' })
    const defining = measured.filter(({ signs }) => signs.defined > 0)
    expect(defining.length).toBeGreaterThan(0)
    for (const { passage } of defining)
      expect(texts.slice(passage.firstSegment, passage.lastSegment + 1)).toContain('This is known as the gimlet.')
  })

  it('begins a passage near the words of the question', () => {
    const index = indexOf(TALK)
    const at = TALK.findIndex((text) => text.includes('80 kilometres'))
    const [best] = rankPassages(index, { question: 'How fast may I drive?' }).passages
    expect(at - (best?.firstSegment ?? 0)).toBeLessThanOrEqual(1)
  })

  it('goes by the moment where a question says nothing but "this"', () => {
    expect(bestText('What is this?', { timeMs: 20_000 })).not.toBe(bestText('What is this?', { timeMs: 230_000 }))
  })

  it('takes a word for a word whatever objects call it', () => {
    const index = indexOf(['The constructor of the class gets toString and __proto__ as arguments.'])
    expect(rankPassages(index, { question: 'What does the constructor get?' }).passages).toHaveLength(1)
  })

  it('gives nothing where nothing was said', () => {
    for (const texts of [[], [''], ['…', '♪']]) {
      const ranking = rankPassages(indexOf(texts, []), { question: 'What is a nut?' })
      expect(ranking.passages).toEqual([])
      expect(judgeAnswerable(ranking)).toBe(0)
    }
  })

  it('gives passages that do not overlap, with finite scores, whatever is said and asked', () => {
    const text = fc.oneof(fc.string({ maxLength: 200, unit: 'grapheme' }), fc.constantFrom(...NARRATION))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), text, fc.nat(400_000), (said, question, timeMs) => {
        const index = indexOf(said)
        const ranking = rankPassages(index, { question, timeMs })
        const taken = new Set<number>()
        for (const { from, to, score } of ranking.passages) {
          expect(to).toBeGreaterThan(from)
          expect(Number.isFinite(score)).toBe(true)
          for (let at = from; at < to; at += 1) {
            expect(taken.has(at)).toBe(false)
            taken.add(at)
          }
        }
        const chance = judgeAnswerable(ranking)
        expect(chance >= 0 && chance <= 1).toBe(true)
      }),
    )
  })
})

describe('readAround', () => {
  const index = indexOf(TALK)

  it('adds whole segments with at least 25 words on either side, and no more than the recording has', () => {
    for (const passage of index.passages) {
      const { from, to, firstSegment, lastSegment, startMs, endMs } = readAround(index, passage)
      expect(from).toBeLessThanOrEqual(Math.max(0, passage.from - 25))
      expect(to).toBeGreaterThanOrEqual(Math.min(index.tokens.length, passage.to + 25))
      expect(index.tokens[from]?.segmentIndex).toBe(firstSegment)
      expect(index.tokens[from - 1]?.segmentIndex).not.toBe(firstSegment)
      expect(index.tokens[to - 1]?.segmentIndex).toBe(lastSegment)
      expect(index.tokens[to]?.segmentIndex).not.toBe(lastSegment)
      expect([startMs, endMs]).toEqual([index.segments[firstSegment]?.startMs, index.segments[lastSegment]?.endMs])
    }
  })

  it('is what a model is shown of each passage', () => {
    const question = 'Where is the wrench for the wheel nuts?'
    const shown = planAnswer(index, { question }).shown?.map(({ id }) => id)
    for (const passage of rankPassages(index, { question }).passages) {
      const { firstSegment, lastSegment } = readAround(index, passage)
      for (const { id } of index.segments.slice(firstSegment, lastSegment + 1)) expect(shown).toContain(id)
    }
  })
})

describe('stemTerm', () => {
  it.each([
    ['classes', 'class'],
    ['loosened', 'loosening'],
    ['hopping', 'hops'],
    ['studies', 'study'],
    ['happy', 'happiness'],
    ['generalizations', 'generalize'],
    ['colours', 'color'],
    ['initialise', 'initialization'],
    ['twelve', '12'],
    ['sixth', '6'],
    ['hundred', '100'],
  ])('brings "%s" and "%s" together', (left, right) => {
    expect(stemTerm(left)).toBe(stemTerm(right))
  })

  it.each([
    ['apply', 'app'],
    ['state', 'station'],
    ['letter', 'let'],
    ['factor', 'fact'],
    ['hoping', 'hopping'],
    ['feed', 'fee'],
  ])('keeps "%s" and "%s" apart', (left, right) => {
    expect(stemTerm(left)).not.toBe(stemTerm(right))
  })

  it('returns a stem of any word that is not empty and at most one character longer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stemTerm(word)).not.toBe('')
        expect(stemTerm(word).length).toBeLessThanOrEqual(word.length + 1)
      }),
    )
  })
})

describe('judgeAnswerable', () => {
  it('trusts a question in the words of the video more than one about something else', () => {
    const chanceOf = (question: string) => judgeAnswerable(rankPassages(indexOf(), { question }))
    expect(chanceOf('Where is the wrench for the wheel nuts?')).toBeGreaterThan(0.5)
    expect(chanceOf('How do you brew espresso with oat milk?')).toBeLessThan(0.5)
    expect(chanceOf('…?')).toBe(0)
  })

  it('trusts a question less where an unsaid word narrows what is said', () => {
    const index = indexOf(['Type ls to list the names.', 'The files are in a folder.', ...NARRATION])
    const chanceOf = (question: string) => judgeAnswerable(rankPassages(index, { question }))
    expect(chanceOf('How do I list hidden files?')).toBeLessThan(chanceOf('Hidden: how do I list files?') - 0.05)
  })
})
