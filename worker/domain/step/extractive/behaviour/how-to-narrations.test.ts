// Behaviour: steps of whole how-to narrations without a model.
import { describe, expect, it } from 'vitest'
import type { SectionAnswer } from '#worker/domain/run/section-store.ts'
import { planSections } from '#worker/domain/step/plan-sections.ts'
import { writeSection } from '#worker/pipeline/write-steps.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { composeSteps } from '../../compose-steps.ts'
import { likeRecognised } from '../../testing/like-recognised.ts'
import { extractiveStepWriter } from '../extractive-step-writer.ts'

/** A how-to as its steps: what is said in each, and the title that it should have; null for an introduction, which is no step. */
type Narration = readonly { title: string | null; said: readonly string[] }[]

const PAPER_ROLL: Narration = [
  {
    title: null,
    said: ['In this short video, I will show you how to change the paper roll in a label printer.'],
  },
  {
    title: 'Switch off the printer',
    said: ['First, switch off the printer with the button on the front.', 'Wait until the light goes out.'],
  },
  {
    title: 'Open the cover',
    said: ['Next, open the cover.', 'Press the latch on the right side, and lift the cover all the way up.'],
  },
  {
    title: 'Take out the empty roll',
    said: ['Now take out the empty roll.', 'Pull it straight up, and put it on the table.'],
  },
  {
    title: 'Put in the new roll',
    said: [
      'Then put in the new roll.',
      'The end of the paper must point to the front of the printer.',
      'Pull the paper forward, until it comes out of the slot.',
    ],
  },
  {
    title: 'Close the cover',
    said: ['After that, close the cover.', 'Push it down on both sides, until you hear a click.'],
  },
  {
    title: 'Switch on the printer',
    said: ['Finally, switch on the printer again.', 'Press the feed button to print a test label.', 'That is all.'],
  },
]

const SOUP: Narration = [
  { title: null, said: ['Today we are making a simple tomato soup for four people.'] },
  {
    title: 'Peel two onions',
    said: ['First, peel two onions and chop them into small pieces.', 'Keep them in a bowl.'],
  },
  {
    title: 'Heat a spoon of oil in a large pot',
    said: ['Then heat a spoon of oil in a large pot.', 'It must not smoke.'],
  },
  {
    title: 'Fry the onions',
    said: ['Now fry the onions until they are soft.', 'Stir them all the time, or they burn.'],
  },
  {
    title: 'Add the tomatoes',
    said: ['Next, you add the tomatoes and a glass of water.', 'Canned tomatoes are fine.'],
  },
  {
    title: 'Let the soup simmer for twenty minutes',
    said: ['After that, let the soup simmer for twenty minutes.', 'Put the lid on it, so that it stays hot.'],
  },
  {
    title: 'Season the soup with salt',
    said: ['Finally, season the soup with salt and pepper.', 'Serve it with fresh bread.'],
  },
]

const OIL_CHANGE: Narration = [
  {
    title: null,
    said: [
      'Hello, my name is Anna, and I look after the machines in this workshop.',
      'In this video we will change the oil of the compressor.',
    ],
  },
  {
    title: 'Switch off the compressor',
    said: [
      'First of all, switch off the compressor and pull the plug.',
      'I once saw somebody forget that.',
      'He was lucky, but his jacket was not.',
    ],
  },
  {
    title: 'Let the air out of the tank',
    said: [
      'Next, let the air out of the tank.',
      'Open the valve slowly.',
      'When I started here, the old machine was so loud that we had to leave the room.',
    ],
  },
  {
    title: 'Loosen the drain screw with a spanner',
    said: [
      'Now you loosen the drain screw with a spanner.',
      'In winter this takes longer, since the oil is thick.',
      'We usually have a coffee in the meantime.',
    ],
  },
  {
    title: 'Plug the compressor in',
    said: ['Lastly, plug the compressor in again and run it for a minute.', 'Listen for strange sounds.'],
  },
]

const CLICK_THROUGH: Narration = [
  {
    title: 'Open the admin page of your shop',
    said: ['Open the admin page of your shop.', 'Click Settings at the bottom of the menu.'],
  },
  {
    title: 'Click Add staff at the top',
    said: ['Select Users and permissions from the list.', 'Click Add staff at the top right.'],
  },
  {
    title: 'Choose a role from the drop-down list',
    said: [
      'Type the name and the email address of the new person.',
      'Choose a role from the drop-down list.',
      'The role decides which pages they can see.',
    ],
  },
  {
    title: 'Open the page Orders',
    said: [
      'Open the page Orders to check what the new role can see.',
      'Click Export, and choose the spreadsheet format.',
      'Save the file on your computer.',
    ],
  },
]

/** Speech at 2.5 words a second, with a breath between sentences and a longer one between steps. */
function speak(narration: Narration): SaidSegment[] {
  const segments: SaidSegment[] = []
  let atMs = 600
  for (const { said } of narration) {
    for (const text of said) {
      const endMs = atMs + text.split(' ').length * 400
      segments.push({ id: `s${segments.length}`, startMs: atMs, endMs, text })
      atMs = endMs + 350
    }
    atMs += 850
  }
  return segments
}

/** A recogniser that ends its segments at long pauses only. */
function joinByPause(segments: readonly SaidSegment[]): SaidSegment[] {
  const joined: SaidSegment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last === undefined || segment.startMs - last.endMs > 800) joined.push(segment)
    else joined[joined.length - 1] = { ...last, endMs: segment.endMs, text: `${last.text} ${segment.text}` }
  }
  return joined
}

const OPTIONS = { signal: new AbortController().signal, isGivenUp: false, isWorthWaiting: () => false }

interface StoredOptions {
  planned?: SaidSegment[][]
  /** With captions, what follows a section is known. */
  isCaptioned?: boolean
}

/** As the pipeline makes them: section by section, each with what was said before. */
async function storedSteps(
  segments: SaidSegment[],
  { planned = planSections(segments), isCaptioned }: StoredOptions = {},
) {
  const durationMs = (segments.at(-1)?.endMs ?? 0) + 1_000
  const context = { moduleTitle: '', language: 'en', glossary: null, durationMs }
  const sections: SectionAnswer[] = []
  for (const [index, section] of planned.entries()) {
    const window = { ...context, before: planned.slice(0, index).flat(), segments: section }
    const after = planned.slice(index + 1).flat()
    sections.push(await writeSection(extractiveStepWriter, isCaptioned ? { ...window, after } : window, OPTIONS))
  }
  const steps = composeSteps({ run: 1, durationMs, sections, isComplete: true })
  return steps.map((step) => ({ startsWith: firstWords(step.originalText), title: step.title }))
}

function firstWords(text: string): string {
  return text.toLowerCase().replace(/[.,]/g, '').split(' ').slice(0, 4).join(' ')
}

function expectedSteps(narration: Narration) {
  const introduction = narration.filter(({ title }) => title === null).flatMap(({ said }) => said)
  const steps = narration.filter(({ title }) => title !== null)
  return steps.map(({ title, said }, index) => {
    const first = index === 0 ? [...introduction, ...said] : said
    return { startsWith: firstWords(first.join(' ')), title }
  })
}

describe('stored steps of a how-to', () => {
  it.each([
    ['a list of steps on a machine', PAPER_ROLL],
    ['a recipe', SOUP],
    ['a talk with digressions', OIL_CHANGE],
    ['clicks without sequence words', CLICK_THROUGH],
  ])('begin where the speaker begins them and are named after their action: %s', async (_, narration) => {
    expect(await storedSteps(speak(narration))).toEqual(expectedSteps(narration))
  })

  it.each([
    ['a list of steps on a machine', PAPER_ROLL],
    ['a recipe', SOUP],
    ['a talk with digressions', OIL_CHANGE],
  ])('stored steps of a how-to are the same without punctuation and capitals: %s', async (_, narration) => {
    expect(await storedSteps(likeRecognised(speak(narration)))).toEqual(expectedSteps(narration))
  })

  it('stored steps of a how-to are the same when segments end at pauses', async () => {
    const segments = joinByPause(likeRecognised(speak(PAPER_ROLL)))
    expect(await storedSteps(segments)).toEqual(expectedSteps(PAPER_ROLL))
  })

  it('join what is announced within five seconds', async () => {
    const hasty = [
      { title: '', said: ['First, unplug the kettle.', 'Next, open the lid and take the filter out of it.'] },
      { title: '', said: ['Then pour in the vinegar, and wait for half an hour or so.'] },
      { title: '', said: ['Finally, rinse the kettle with clear water, and do not forget to plug it in.'] },
    ]
    const steps = await storedSteps(speak(hasty))
    expect(steps.map((step) => step.title)).toEqual(['Unplug the kettle', 'Pour in the vinegar', 'Rinse the kettle'])
  })

  it.each([
    ['a list of steps on a machine', PAPER_ROLL],
    ['a recipe', SOUP],
    ['a talk with digressions', OIL_CHANGE],
  ])('come out one by one wherever a section ends: %s', async (_, narration) => {
    const segments = speak(narration)
    const expected = expectedSteps(narration).map((step) => step.startsWith)
    for (let border = 1; border < segments.length; border += 1) {
      const steps = await storedSteps(segments, { planned: [segments.slice(0, border), segments.slice(border)] })
      expect({ border, starts: steps.map((step) => step.startsWith) }).toEqual({ border, starts: expected })
    }
  })

  it.each([
    ['a list of steps on a machine', PAPER_ROLL],
    ['a recipe', SOUP],
    ['a talk with digressions', OIL_CHANGE],
    ['clicks without sequence words', CLICK_THROUGH],
  ])('stored steps of a how-to are the same wherever a section of captions ends: %s', async (_, narration) => {
    const segments = speak(narration)
    for (let border = 1; border < segments.length; border += 1) {
      const planned = [segments.slice(0, border), segments.slice(border)]
      const steps = await storedSteps(segments, { planned, isCaptioned: true })
      expect({ border, steps }).toEqual({ border, steps: expectedSteps(narration) })
    }
  })
})
