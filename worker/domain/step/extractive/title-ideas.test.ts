import { describe, expect, it } from 'vitest'
import { actsOnPrevious, findAnnouncedSteps, findAnnouncedVerb, readSentences, type Sentence } from './sentences.ts'
import { findAnnouncedTitle } from './title-ideas.ts'

/** A sentence every so many seconds. */
function speak(texts: readonly string[], everyS = 6): Sentence[] {
  return readSentences(
    texts.map((text, index) => ({
      id: `s${index}`,
      startMs: index * everyS * 1_000,
      endMs: (index + 1) * everyS * 1_000 - 500,
      text,
    })),
  )
}

function say(text: string): Sentence {
  return speak([text])[0] as Sentence
}

describe('findAnnouncedVerb', () => {
  it.each([
    ['First, switch off the printer with the button on the front.', 'switch off the printer'],
    ['first of all unplug the kettle', 'unplug the kettle'],
    ['Okay, next, you need to open the cover.', 'open the cover'],
    ['After that, we are going to attach the hose.', 'attach the hose'],
    ['The next step is to sand the edges.', 'sand the edges'],
    ['Step three: tighten the bolts.', 'tighten the bolts'],
    ["Once that's done, carefully whisk the eggs.", 'whisk the eggs'],
    ['And then finally put in the new roll.', 'put in the new roll'],
    ['then put in the new roll the end of the paper points to you', 'put in the new roll'],
    ["Now let's rinse the filter.", 'rinse the filter'],
  ])('finds in "%s" the step to %s', (text, title) => {
    expect(findAnnouncedVerb(say(text))).not.toBeNull()
    expect(findAnnouncedTitle(say(text))).toBe(title)
  })

  it.each([
    'Now you can see the result.',
    'Then pull it to the left.',
    'First things come first.',
    'Now the first question is what a command is.',
    'Then pressing the button did not help.',
    'Next, shall we open the cover?',
    'Open the cover.',
    'Finally.',
  ])('finds no step in "%s"', (text) => {
    expect(findAnnouncedVerb(say(text))).toBeNull()
  })
})

describe('findAnnouncedSteps', () => {
  const list = ['First, open the lid.', 'It is heavy.', 'Next, take out the filter.', 'Then rinse the filter.']

  it('finds the steps of a narrated list', () => {
    expect(findAnnouncedSteps(speak(list), 'all')).toEqual([0, 2, 3])
  })

  it('takes two for a list only while it may go on', () => {
    expect(findAnnouncedSteps(speak(list.slice(0, 3)), 'all')).toEqual([])
    expect(findAnnouncedSteps(speak(list.slice(0, 3)), 'so far')).toEqual([0, 2])
  })

  it('takes a few in a long talk for no list', () => {
    const talk = Array.from({ length: 40 }, () => 'The comet went around the sun.')
    expect(findAnnouncedSteps(speak([...list, ...talk], 10), 'so far')).toEqual([])
  })
})

describe('actsOnPrevious', () => {
  it.each(['Pull it straight up, and put it on the table.', 'Then stir them all the time.'])(
    'is true for "%s"',
    (text) => {
      expect(actsOnPrevious(say(text))).toBe(true)
    },
  )

  it.each(['Pull the lever.', 'It is hot.', 'Press the button until it clicks.', ''])('is false for "%s"', (text) => {
    expect(actsOnPrevious({ ...say('x'), text, words: text.toLowerCase().split(' ') })).toBe(false)
  })
})
