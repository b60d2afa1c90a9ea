import { describe, expect, it } from 'vitest'
import { findReplaced, isSameStep } from './match-proposals.ts'
import { written } from './testing/seed-steps.ts'
import type { ProposalRow, StepRow } from './tidy-section.ts'

type Fields = Partial<StepRow>

const step = (fields: Fields): StepRow => ({
  ...written(1, 0),
  moduleId: 'm1',
  position: 0,
  addedVersion: 0,
  ...fields,
})
/** A step that a person has changed. */
const own = (fields: Fields) => step({ id: 'mine', editedAt: 1, run: 1, ...fields })
const offer = (fields: Fields): ProposalRow => ({
  ...step({ id: 'new', ...fields }),
  run: 2,
  decision: null,
  replaced: null,
})

const span = (startS: number, endS: number) => ({ startMs: startS * 1000, endMs: endS * 1000 })
const said = (title: string, description = '', originalText = '') => ({ title, description, originalText })

function replacedBy(proposal: ProposalRow, steps: StepRow[]): string[] {
  return findReplaced([proposal], steps).get(proposal.id) ?? []
}

describe('a step that a person has changed gives way to a proposal', () => {
  const words = said('Open the lid', 'Take the old filter out of its frame.')

  it.each([
    ['the same span', span(10, 20), true],
    ['a part of it', span(12, 14), true],
    ['one that holds it', span(0, 60), true],
    ['half of it', span(15, 25), true],
    ['a little less than half of it', span(15.1, 25), false],
    ['its neighbour', span(20, 30), false],
    ['one without a length', span(15, 15), false],
  ])('a step that a person has changed gives way to a proposal at the same moment: %s', (_what, other, isReplaced) => {
    const proposal = offer({ ...span(10, 20), ...words })
    expect(replacedBy(proposal, [own({ ...other, ...words })])).toEqual(isReplaced ? ['mine'] : [])
  })

  it.each([
    ['the same words', words, true],
    ['another title', said('First of all', words.description), true],
    ['a shorter text', said('Take the filter out'), true],
    ['other words for what was said', said('Alpha', 'Beta gamma.', 'and now the old filter comes out'), true],
    ['other words, added by hand', said('Wear gloves', 'The edges are sharp.'), false],
    ['one common word', said('Filter'), false],
    ['no words', said(''), false],
  ])(
    'a step that a person has changed gives way to a proposal in much the same words: %s',
    (_what, other, isReplaced) => {
      const proposal = offer({ ...span(10, 20), ...words, originalText: 'and now the old filter comes out' })
      expect(replacedBy(proposal, [own({ ...span(10, 20), ...other })])).toEqual(isReplaced ? ['mine'] : [])
    },
  )

  it('a step that a person has changed gives way to a proposal in scripts that do not part words by blanks', () => {
    const proposal = offer({ ...span(0, 10), ...said('フィルターを取り出す') })
    expect(replacedBy(proposal, [own({ ...span(0, 10), ...said('古いフィルターを取り出します') })])).toEqual(['mine'])
    expect(replacedBy(proposal, [own({ ...span(0, 10), ...said('手袋を着用してください') })])).toEqual([])
  })

  it('a step that a person has changed gives way to a proposal once: the one that is most alike takes its place', () => {
    const offers = [
      offer({ id: 'half', ...span(0, 12), ...said('Open the lid', 'Then wait for a minute.') }),
      offer({ id: 'whole', ...span(8, 20), ...words }),
    ]
    const replaced = findReplaced(offers, [own({ ...span(0, 20), ...words })])
    expect(Object.fromEntries(replaced)).toEqual({ half: [], whole: ['mine'] })
  })
})

describe('a step that no person has touched gives way', () => {
  it.each([
    ['whose middle lies inside', span(0, 18), 1, ['old']],
    ['whose middle lies outside', span(0, 30), 1, []],
    ['of the same run', span(0, 18), 2, []],
  ])('a step that no person has touched gives way: %s', (_which, times, run, expected) => {
    const proposal = offer({ ...span(0, 10), ...said('New words') })
    expect(replacedBy(proposal, [step({ id: 'old', ...times, run, ...said('Old text') })])).toEqual(expected)
  })

  it.each([
    ['with the more of it', span(0, 125), 1, { new0: ['old'], new1: [] }],
    ['after it with the more of it', span(80, 125), 1, { new0: [], new1: ['old'] }],
    ['none where it is all silence', span(30, 90), 1, { new0: [], new1: [] }],
    ['none where another proposal was between them', span(0, 125), 2, { new0: [], new1: [] }],
  ])(
    'a step that no person has touched gives way across a gap to the proposal %s',
    (_which, times, position, expected) => {
      const proposals = [
        offer({ id: 'new0', position: 0, ...span(0, 18), ...said('One') }),
        offer({ id: 'new1', position, ...span(107, 125), ...said('Two') }),
      ]
      const old = step({ id: 'old', ...times, run: 1, ...said('Old text') })
      expect(Object.fromEntries(findReplaced(proposals, [old]))).toEqual(expected)
    },
  )
})

describe('two steps are the same', () => {
  const one = written(1, 10)
  it.each([
    ['when they read the same', {}, true],
    ['where times differ by less than people see', span(10.4, 20.9), true],
    ['not where another second is shown', span(11, 20), false],
    ['not with another title', { title: 'Other' }, false],
    ['not with another description', { description: 'Other words.' }, false],
  ])('two steps are the same: %s', (_when, change, isSame) => {
    expect(isSameStep(one, { ...written(2, 10), ...change })).toBe(isSame)
  })
})
