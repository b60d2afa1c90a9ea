import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AskedQuestion, groupQuestions } from './group-questions.ts'

interface Asked {
  text: string
  place?: string | null
  timeS?: number | null
}

/** In the order in which they are asked. */
function askAll(asked: readonly (string | Asked)[]): AskedQuestion[] {
  return asked.map((each, index) => {
    const { text, place = 'a', timeS = null } = typeof each === 'string' ? { text: each } : each
    return { id: `q${String(index).padStart(4, '0')}`, text, place, timeS, askedAtMs: index * 1_000 }
  })
}

function textsOf(asked: readonly (string | Asked)[]): string[][] {
  return groupQuestions(askAll(asked)).map(({ questions }) => questions.map(({ text }) => text))
}

const WORDS =
  'where what is how do i the use find why this much jack wrench nuts wheel torque bolts tighten 120 wrenches Rad 轮'.split(
    ' ',
  )
const question = fc.record({
  text: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => `${words.join(' ')}?`),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  ),
  place: fc.constantFrom('a', 'b', null),
  timeS: fc.option(fc.nat(200), { nil: null }),
})
const questions = fc.array(question, { maxLength: 40 }).map(askAll)

describe('groupQuestions', () => {
  it.each([
    ['another way to ask for a place', 'Where is the wrench?', 'Where do I find the wrench?'],
    ['other marks and casing', 'where is the JACK', 'Where is the jack??'],
    ['another form of a word', 'How do I tighten the nuts?', 'How to tighten a nut'],
    ['an amount', 'How much torque for the nuts?', 'What torque do the wheel nuts need?'],
  ])('takes %s for the same', (_what, one, other) => {
    expect(textsOf([one, other])).toEqual([[one, other]])
  })

  it.each([
    ['asks for another thing', 'Where is the wrench?', 'Where is the jack?'],
    ['asks for something else of it', 'Where is the jack?', 'How do I use the jack?'],
    ['asks for the opposite', 'How do I turn the machine on?', 'How do I turn the machine off?'],
    ['asks for the opposite act', 'How do I open the valve of the tank?', 'How do I close the valve of the tank?'],
    ['asks for another side of it', 'What is the size of the wrench?', 'Where is the wrench under the carpet?'],
  ])('keeps apart what %s', (_what, one, other) => {
    expect(textsOf([one, other])).toHaveLength(2)
  })

  it('brings like words together only near in time, in one step, or where they belong to no place', () => {
    const [one, other] = ['Where is the wrench?', 'Where do I find the wrench?']
    const count = (left: Omit<Asked, 'text'>, right: Omit<Asked, 'text'>) =>
      textsOf([
        { text: one, ...left },
        { text: other, ...right },
      ]).length
    expect(count({ place: 'a', timeS: 5 }, { place: 'a', timeS: 200 })).toBe(1)
    expect(count({ place: 'a', timeS: 29 }, { place: 'b', timeS: 31 })).toBe(1)
    expect(count({ place: 'a', timeS: 5 }, { place: 'b', timeS: 200 })).toBe(2)
    expect(count({ place: 'a', timeS: 5 }, { place: null, timeS: null })).toBe(1)
  })

  it('brings the same words together wherever they were asked, unless they name nothing', () => {
    const asked = (text: string) =>
      textsOf([
        { text, place: 'a' },
        { text: `${text}?`, place: 'b' },
      ])
    expect(asked('Where is the jack')).toHaveLength(1)
    expect(asked('What is this')).toHaveLength(2)
    expect(textsOf(['What is this?', 'what is THIS'])).toHaveLength(1)
    expect(textsOf(['What is this?', 'And what is that?'])).toHaveLength(2)
  })

  it('returns the most typical wording, the other wordings, and the place where most learners asked', () => {
    const [group] = groupQuestions(
      askAll([
        { text: 'I have looked in the boot but where is the wheel wrench', place: 'b', timeS: 20 },
        { text: 'Where is the wheel wrench?', place: 'a', timeS: 10 },
        { text: 'where is the wheel wrench', place: 'a', timeS: 12 },
        { text: 'Where do I find the wheel wrench?', place: 'b', timeS: 14 },
        { text: 'Where is the wheel wrench?', place: 'a', timeS: 11 },
      ]),
    )
    expect(group).toMatchObject({ text: 'Where is the wheel wrench?', place: 'a' })
    expect(group?.otherTexts).toHaveLength(2)
    expect(group?.questions.map(({ timeS }) => timeS)).toEqual([20, 10, 12, 14, 11])
  })

  it('returns the shorter of two equally typical wordings', () => {
    const texts = ['Where do I find the green button?', 'Where is the green button?']
    for (const asked of [texts, texts.toReversed()]) expect(groupQuestions(askAll(asked))[0]?.text).toBe(texts[1])
  })

  it('does not drift from one question to another by what lies between them', () => {
    const groups = textsOf(['Where is the red jack?', 'Where is the red wheel jack?', 'Where is the wheel hub wrench?'])
    expect(groups).toEqual([
      ['Where is the red jack?', 'Where is the red wheel jack?'],
      ['Where is the wheel hub wrench?'],
    ])
  })

  it('puts every question into exactly one group', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const grouped = groupQuestions(asked).flatMap((group) => group.questions.map(({ id }) => id))
        expect(grouped.sort()).toEqual(asked.map(({ id }) => id).sort())
      }),
    )
  })

  it('gives the same groups in whatever order the questions come', () => {
    fc.assert(
      fc.property(
        questions.chain((asked) =>
          fc.tuple(fc.constant(asked), fc.shuffledSubarray(asked, { minLength: asked.length })),
        ),
        ([asked, shuffled]) => {
          expect(groupQuestions(shuffled)).toEqual(groupQuestions(asked))
        },
      ),
    )
  })

  it('always keeps the same text at the same place together', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const groups = groupQuestions(asked)
        const groupOf = new Map(groups.flatMap((group, at) => group.questions.map(({ id }) => [id, at] as const)))
        const byText = Map.groupBy(asked, ({ text, place }) => JSON.stringify([text, place]))
        for (const same of byText.values()) expect(new Set(same.map(({ id }) => groupOf.get(id))).size).toBe(1)
      }),
    )
  })

  it('shows a text that was asked, in a group where it was asked', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        for (const { questions: own, text, otherTexts, place } of groupQuestions(asked)) {
          for (const each of [text, ...otherTexts]) expect(own.map((one) => one.text)).toContain(each)
          expect(own.map((one) => one.place)).toContain(place)
        }
      }),
    )
  })

  it('groups thousands that have words in common', () => {
    const things = ['jack', 'wrench', 'nut', 'bolt', 'wheel', 'frame', 'carpet', 'boot', 'tyre', 'garage']
    const asked = Array.from({ length: 4_000 }, (_, index) => {
      const named = [index % 10, (index * 7) % 10, (index * 3 + 1) % 10].map((at) => things[at])
      return { text: `How does part ${index} of the ${named.join(' and the ')} fit?`, timeS: index % 600, place: null }
    })
    const groups = groupQuestions(askAll(asked))
    expect(groups.reduce((sum, { questions: own }) => sum + own.length, 0)).toBe(asked.length)
  })
})
