import { describe, expect, it } from 'vitest'
import type { CalloutDraft, SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import { composeSteps } from '../compose-steps.ts'
import { tidySection } from '../tidy-section.ts'
import { proposeCallouts } from './find-callouts.ts'
import { readSentences } from './sentences.ts'

const say = (...texts: string[]): SaidSegment[] =>
  texts.map((text, at) => ({ id: `s${at}`, startMs: at * 10_000, endMs: at * 10_000 + 9_000, text }))

function propose(...texts: string[]): string[] {
  const spoken = say(...texts)
  return proposeCallouts([], spoken, readSentences(spoken)).map(({ kind, text }) => `${kind}: ${text}`)
}

describe('callouts by cue phrases', () => {
  it.each([
    ['Careful, the plate is hot.', 'warning: Careful, the plate is hot.'],
    ['So now never touch the blade.', 'warning: Never touch the blade.'],
    ["Don't open the lid while it runs.", "warning: Don't open the lid while it runs."],
    ['This will erase all your settings.', 'warning: This will erase all your settings.'],
    ["Here's a tip, start at the top.", 'tip: Start at the top.'],
    ['It helps to work on a blanket.', 'tip: It helps to work on a blanket.'],
  ])('finds one in "%s"', (said, callout) => {
    expect(propose(said)).toEqual([callout])
  })

  it('names each tool and part that is needed', () => {
    expect(propose("You'll need a socket wrench, a new oil filter and four litres of oil.")).toEqual([
      'tool: Socket wrench',
      'part: New oil filter',
      'part: Four litres of oil',
    ])
  })

  it.each([
    'Should you be careful here?',
    "Don't worry if it takes a while.",
    'Never mind the warning.',
    'The tip of the blade needs more pressure.',
    'You need to press start once more.',
    'You need a password.',
    'The tools menu has an export.',
    'I was careful and still got wet.',
    'It is a hot topic which size is best.',
    `Be careful, ${'and so on '.repeat(12)}.`,
  ])('finds none in "%s"', (said) => {
    expect(propose(said)).toEqual([])
  })

  it('finds none where the recogniser was not sure, and names nothing twice', () => {
    const [segment] = say('Careful, the plate is hot.')
    const spoken = segment === undefined ? [] : [{ ...segment, unsure: [2] }]
    expect(proposeCallouts([], spoken, readSentences(spoken))).toEqual([])
    expect(propose('You need a hammer.', 'Then take a hammer.')).toEqual(['tool: Hammer'])
  })
})

describe('callouts of a model', () => {
  const SAID = say('Open the lid.', 'Careful, the plate below it is hot.', 'Take out the roll.')
  const draft = (...callouts: CalloutDraft[]): StepDraft[] => [
    { segmentIds: SAID.map(({ id }) => id), title: 'Open the lid', description: '', callouts },
  ]
  const warning = (text: string, segmentId = 's1'): CalloutDraft => ({ kind: 'warning', text, segmentId })
  const proposeBy = (...callouts: CalloutDraft[]) => proposeCallouts(draft(...callouts), SAID, readSentences(SAID))

  it('stand with the words of the segment that says them', () => {
    expect(proposeBy(warning('The plate is hot.'))).toEqual([
      { kind: 'warning', text: 'The plate is hot.', quote: 'Careful, the plate below it is hot.' },
    ])
  })

  it.each([
    ['that the segment does not say', warning('The plate is hot.', 's0')],
    ['of a segment that is not there', warning('The plate is hot.', 's9')],
    ['with more than was said', warning('Wear gloves against the steam of the boiler.')],
    ['without a word', warning('…')],
  ])('callouts of a model are not proposed %s', (_what, callout) => {
    expect(proposeBy(callout)).toEqual([])
  })

  it('callouts of a model are none where the model says that there are none', () => {
    expect(proposeBy()).toEqual([])
  })
})

describe('the callouts of a step', () => {
  it('come with the step that says them', () => {
    const segments = say(
      'Open the lid of the printer first.',
      'Careful, the plate is hot.',
      'Take out the empty roll now.',
    )
    const drafts = segments.map(({ id }, at) => ({ segmentIds: [id], title: `Do thing ${at + 1}`, description: '' }))
    const steps = tidySection({ drafts, segments, durationMs: 30_000 })
    const composed = composeSteps({
      run: 1,
      durationMs: 30_000,
      sections: [{ steps, isDraft: false }],
      isComplete: true,
    })
    expect(composed.map(({ proposedCallouts }) => proposedCallouts.map(({ quote }) => quote))).toEqual([
      [],
      ['Careful, the plate is hot.'],
      [],
    ])
  })
})
