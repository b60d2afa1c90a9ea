// Behaviour: sentences that only greet, announce or take leave, in titles, descriptions and cuts.
import { describe, expect, it } from 'vitest'
import { composeSteps } from '../../compose-steps.ts'
import { tidySection } from '../../tidy-section.ts'
import { describeStep } from '../describe-step.ts'
import { writeExtractiveSteps } from '../extractive-step-writer.ts'
import { isFraming } from '../framing.ts'
import { repeatsTitle } from '../name-step.ts'
import { readSentences, splitWords } from '../sentences.ts'

const isFrame = (text: string) => isFraming({ words: splitWords(text) })

describe('isFraming', () => {
  it.each([
    'Hello, my name is Anna, and I look after the machines in this workshop.',
    'Welcome back to the channel.',
    'Dear friends, welcome to a spoken tutorial on the Linux Operating System.',
    'In this short video, I will show you how to change the paper roll.',
    'In this tutorial, we will study some basic commands.',
    "Today we're going to change the oil.",
    'It takes only five steps.',
    'Thank you so much for watching.',
    'Then we will learn about how to find help with the man command.',
    'We assume that you know how to get started.',
    'Those will be covered in an advanced tutorial.',
    'This brings us to the end of this tutorial.',
    'See you next time.',
    'That is all.',
  ])('is true where nothing can be followed: %s', (text) => {
    expect(isFrame(text)).toBe(true)
  })

  it.each([
    'First, switch off the printer with the button on the front.',
    'Type hello and press Enter.',
    'This is all of the data that we have.',
    'In this video player, click the gear.',
    'Take two steps back.',
    'Then you see the name of the file.',
    'Today the interest rate is three percent.',
    '',
  ])('is false where something is said: %s', (text) => {
    expect(isFrame(text)).toBe(false)
  })
})

const SAID = [
  'Hello and welcome to this video.',
  'In this video we will change the filter of the coffee machine.',
  'First, open the lid of the machine.',
  'Pull the lever towards you, and take the old filter out of it.',
  'Next, put in the new filter.',
  'Press it down, until it clicks.',
  'Finally, close the lid of the machine.',
  'Turn the lever back, until it stops.',
  'Thank you for watching.',
]

describe('what only greets, announces or takes leave', () => {
  const segments = SAID.map((text, at) => ({ id: `s${at}`, startMs: at * 6_000, endMs: at * 6_000 + 5_500, text }))
  const durationMs = SAID.length * 6_000
  const window = { moduleTitle: 'Change the filter', language: 'en', glossary: null, durationMs, before: [], segments }

  it('is no step, nor the title or the description of one', () => {
    const steps = tidySection({ ...window, drafts: writeExtractiveSteps(window) })
    const listed = composeSteps({ run: 1, durationMs, sections: [{ steps, isDraft: false }], isComplete: true })
    expect(listed.map(({ title }) => title)).toEqual([
      'Open the lid of the machine',
      'Put in the new filter',
      'Close the lid of the machine',
    ])
    expect([listed[0]?.startMs, listed.at(-1)?.endMs]).toEqual([0, durationMs])
    expect(listed.flatMap(({ segmentIds }) => segmentIds)).toEqual(segments.map(({ id }) => id))
    for (const { description } of listed) expect(description).not.toMatch(/in this video|welcome|watching/i)
  })

  it('is no step with a few words of other things beside it', () => {
    const said = [
      'Dear friends, welcome to a spoken tutorial on filters.',
      'In this tutorial, we will change the filter of the coffee machine.',
      'I am using the small model.',
      'We assume that you know how to switch it on.',
    ]
    const longer = said
      .concat(SAID.slice(2))
      .map((text, at) => ({ ...segments[0], id: `s${at}`, startMs: at * 6_000, endMs: at * 6_000 + 5_500, text }))
    const open = { ...window, durationMs: 66_000, segments: longer }
    const steps = tidySection({ ...open, drafts: writeExtractiveSteps(open) })
    const listed = composeSteps({ run: 1, durationMs: 66_000, sections: [{ steps, isDraft: false }], isComplete: true })
    expect(listed.map(({ title }) => title)[0]).toBe('Open the lid of the machine')
  })

  it('is a step where nothing else is said', () => {
    const only = { ...window, segments: segments.slice(0, 2) }
    const steps = tidySection({ ...only, drafts: writeExtractiveSteps(only) })
    expect(composeSteps({ run: 1, durationMs, sections: [{ steps, isDraft: false }], isComplete: true })).toHaveLength(
      1,
    )
  })

  it('is left out of a description that has more to say', () => {
    const said = 'In this short video, I will show you how to print. Press the feed button twice.'
    const sentences = readSentences([{ id: 's0', startMs: 0, endMs: 9_000, text: said }])
    expect(describeStep(sentences)).toBe('Press the feed button twice.')
  })
})

describe('repeatsTitle', () => {
  it.each([
    ['Change the filter', 'How to change the filter', true],
    ['Change the oil', 'How to change the filter', false],
    ['Change the filter', '', false],
  ])('compares what the titles say: %s, %s', (title, moduleTitle, expected) => {
    expect(repeatsTitle(title, moduleTitle)).toBe(expected)
  })
})
