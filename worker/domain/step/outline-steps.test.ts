import { describe, expect, it } from 'vitest'
import { BLANK_STEP } from '#contract/step.ts'
import type { OutlineTask, SaidSegment } from '#worker/ports/language-model.ts'
import { MAX_STEP_MS } from './extractive/step-times.ts'
import { askOutline, outlineSteps } from './outline-steps.ts'
import { outlinePrompt } from './prompts/outline-steps.v2.ts'
import { type StepToStore } from './tidy-section.ts'

const live = () => new AbortController().signal

/** Steps one after the other, each of so many seconds. */
function stepsOf(...seconds: number[]): StepToStore[] {
  let startMs = 0
  return seconds.map((length, at) => {
    const step = {
      ...BLANK_STEP,
      id: `r1-s${at}`,
      title: `Step ${String.fromCharCode(65 + at)}`,
      description: `Do what is said in ${at}.`,
      startMs,
      endMs: startMs + length * 1_000,
      originalText: `Said ${at}.`,
      segmentIds: [`s${at}`],
      isDraft: false,
      run: 1,
      editedAt: null,
    }
    startMs += length * 1_000
    return step
  })
}

const listed = (steps: readonly StepToStore[]) => steps.map(({ id, title, endMs }) => `${id} ${title} ${endMs / 1_000}`)

describe('outlineSteps', () => {
  const steps = stepsOf(20, 30, 40, 50)

  it('joins the steps of an entry under the id of its first and the title of the entry', () => {
    const entries = [
      { id: 'r1-s0', title: 'Prepare the printer' },
      { id: 'r1-s2', title: 'Change the roll' },
    ]
    const outlined = outlineSteps(steps, entries, [])
    expect(listed(outlined)).toEqual(['r1-s0 Prepare the printer 50', 'r1-s2 Change the roll 140'])
    expect(outlined[0]).toMatchObject({
      description: 'Do what is said in 0. Do what is said in 1.',
      originalText: 'Said 0. Said 1.',
      segmentIds: ['s0', 's1'],
      startMs: 0,
    })
  })

  it.each([
    ['is left out', 20, 'r1-s0 All of it from 20'],
    ['stays where it is more than a fifth of the video', 31, 'r1-s0 All of it from 0'],
  ])('begins with the first entry: what is before it %s', (_what, seconds, expected) => {
    const [all] = outlineSteps(stepsOf(seconds, 30, 40, 50), [{ id: 'r1-s1', title: 'All of it' }], [])
    expect(`${all?.id} ${all?.title} from ${(all?.startMs ?? 0) / 1_000}`).toBe(expected)
    expect(all?.originalText.startsWith('Said 0.')).toBe(all?.startMs === 0)
  })

  it('keeps what a person has changed before the first entry', () => {
    expect(listed(outlineSteps(steps, [{ id: 'r1-s1', title: 'All of it' }], ['r1-s0']))).toEqual(
      steps.map(({ id, title, endMs }) => `${id} ${title} ${endMs / 1_000}`),
    )
  })

  it.each([['r1-s0'], ['r1-s1']])('never joins what a person has touched or removed: %s', (kept) => {
    const entries = [
      { id: 'r1-s0', title: 'First' },
      { id: 'r1-s2', title: 'Last' },
    ]
    expect(listed(outlineSteps(steps, entries, [kept]))).toEqual([
      'r1-s0 Step A 20',
      'r1-s1 Step B 50',
      'r1-s2 Last 140',
    ])
  })

  it('leaves steps single that would be too long together, under one chapter', () => {
    const long = stepsOf(200, MAX_STEP_MS / 1_000 - 200, 1)
    expect(listed(outlineSteps(long.slice(0, 2), [{ id: 'r1-s0', title: 'One' }], []))).toEqual(['r1-s0 One 299'])
    const under = long.map((step) => ({ ...step, chapter: 'One' }))
    expect(outlineSteps(long, [{ id: 'r1-s0', title: 'One' }], [])).toEqual(under)
  })

  it('joins no steps with a pause of more than 20 s between them: the first has the title of the entry', () => {
    const late = (pauseMs: number) =>
      steps.map((step, at) =>
        at < 2 ? step : { ...step, startMs: step.startMs + pauseMs, endMs: step.endMs + pauseMs },
      )
    const entries = [{ id: 'r1-s0', title: 'Change the roll' }]
    expect(listed(outlineSteps(late(20_001), entries, []))).toEqual([
      'r1-s0 Change the roll 50',
      'r1-s2 Step C 160.001',
    ])
    expect(listed(outlineSteps(late(20_000), entries, []))).toEqual(['r1-s0 Change the roll 160'])
  })

  it('leaves the list as it is where no entry names a step of it', () => {
    expect(outlineSteps(steps, [], [])).toEqual(steps)
    expect(outlineSteps(steps, [{ id: 'r0-s0', title: 'Of another run' }], [])).toEqual(steps)
  })

  it('titles by its own times and number what has no other title', () => {
    const untitled = steps.map((step, at) => (at === 2 ? { ...step, title: 'Part 3 (0:50–1:30)' } : step))
    const entries = [
      { id: 'r1-s0', title: 'First' },
      { id: 'r1-s2', title: '' },
    ]
    const titles = (kept: string[]) => outlineSteps(untitled, entries, kept).map(({ title }) => title)
    expect(titles([])).toEqual(['First', 'Part 2 (0:50–2:20)'])
    expect(titles(['r1-s2'])).toEqual(['First', 'Part 3 (0:50–1:30)', 'Step D'])
  })

  it('keeps titles legal and unlike each other', () => {
    const entries = [
      { id: 'r1-s0', title: 'Step 2: Print' },
      { id: 'r1-s1', title: 'Print' },
      { id: 'r1-s2', title: '"?"' },
    ]
    const titles = outlineSteps(steps, entries, []).map(({ title }) => title)
    expect(titles[0]).toBe('Print')
    expect(titles[1]).not.toBe('Print')
    expect(titles[2]).toBe('Step C')
  })
})

describe('an entry that begins inside of a step', () => {
  /** Ten segments of four seconds each; a step has five. */
  const said = Array.from({ length: 10 }, (_, at): SaidSegment => {
    return { id: `s${at}`, startMs: at * 4_000, endMs: at * 4_000 + 3_000, text: `Now turn the screw number ${at}.` }
  })
  const callout = { kind: 'tip', text: 'Turn it.', quote: 'Now turn the screw number 3.' } as const
  const steps = [said.slice(0, 5), said.slice(5)].map((own, order): StepToStore => {
    return {
      ...BLANK_STEP,
      id: `r1-${own[0]?.id}`,
      title: order === 0 ? 'Open it' : 'Close it',
      description: 'Turn all of its screws.',
      startMs: order * 20_000,
      endMs: (order + 1) * 20_000,
      originalText: own.map(({ text }) => text).join(' '),
      segmentIds: own.map(({ id }) => id),
      proposedCallouts: order === 0 ? [callout] : [],
      notes: own
        .map(({ text }) => text.replace('Now', 'Learners forget to'))
        .slice(0, 3)
        .join(' '),
      isDraft: false,
      run: 1,
      editedAt: null,
    }
  })
  const request = { moduleTitle: 'Screws', durationMs: 40_000, language: 'en', steps, segments: said }
  const outlined = async (firsts: readonly number[], kept: string[] = []) => {
    const entries = firsts.map((first) => ({ first, title: `From ${first}` }))
    return outlineSteps(steps, await askOutline({ outline: async () => entries }, request, live()), kept)
  }

  it('divides it there, each part with its own words, times and callouts', async () => {
    const [first, second, ...others] = await outlined([1, 3])
    expect(others).toEqual([])
    expect(first).toMatchObject({ id: 'r1-s0', title: 'From 1', startMs: 0, endMs: 8_000, segmentIds: ['s0', 's1'] })
    expect(second).toMatchObject({ id: 'r1-s2', title: 'From 3', startMs: 8_000, endMs: 40_000 })
    expect(first?.originalText).toBe('Now turn the screw number 0. Now turn the screw number 1.')
    expect(second?.originalText.startsWith('Now turn the screw number 2.')).toBe(true)
    expect([first?.proposedCallouts, second?.proposedCallouts]).toEqual([[], [callout]])
  })

  it('divides and joins the notes with the words that they are about', async () => {
    const notesOf = async (...firsts: number[]) => (await outlined(firsts)).map(({ notes }) => notes)
    const screws = (...numbers: number[]) =>
      numbers.map((n) => `Learners forget to turn the screw number ${n}.`).join(' ')
    expect(await notesOf(1, 3)).toEqual([screws(0, 1), screws(2, 5, 6, 7)])
    expect(await notesOf(1)).toEqual([screws(0, 1, 2, 5, 6, 7)])
  })

  it('leaves the description to the longer part, and describes the other by its words', async () => {
    const [first, second] = await outlined([1, 3])
    expect(first?.description).toMatch(/^Turn the screw number 0/)
    expect(second?.description).toBe('Turn all of its screws. Turn all of its screws.')
  })

  it('may do so more than once', async () => {
    const [first, second] = steps as [StepToStore, StepToStore]
    const whole = { ...first, endMs: second.endMs, segmentIds: said.map(({ id }) => id) }
    const originalText = `${first.originalText} ${second.originalText}`
    const entries = [1, 3, 6].map((line) => ({ first: line, title: `From ${line}` }))
    const one = { ...request, steps: [{ ...whole, originalText }] }
    const outlines = await askOutline({ outline: async () => entries }, one, live())
    const divided = outlineSteps(one.steps, outlines, [])
    expect(listed(divided)).toEqual(['r1-s0 From 1 8', 'r1-s2 From 3 20', 'r1-s5 From 6 40'])
    expect(divided.map((step) => step.originalText).join(' ')).toBe(originalText)
    expect(divided.flatMap(({ segmentIds }) => segmentIds)).toEqual(whole.segmentIds)
  })

  it.each([
    ['the step begins', [1, 7], ['r1-s0 From 1 20', 'r1-s5 From 7 40'], 1],
    ['the next step begins', [1, 5], ['r1-s0 From 1 20', 'r1-s5 From 5 40'], 1],
    ['the first of two entries begins', [1, 3, 4], ['r1-s0 From 1 8', 'r1-s2 From 3 40'], 1],
    ['no entry begins any more', [1, 6, 10], ['r1-s0 From 1 20', 'r1-s5 From 6 40'], 1],
  ])('begins where %s, where less than five seconds would be left', async (_where, firsts, expected) => {
    expect(listed(await outlined(firsts))).toEqual(expected)
  })

  it('does not divide what a person has changed', async () => {
    expect(listed(await outlined([1, 3, 8], ['r1-s0']))).toEqual([
      'r1-s0 Open it 20',
      'r1-s5 Close it 28',
      'r1-s7 From 8 40',
    ])
  })

  it('leaves out a greeting in the step that it begins in, which keeps its id', async () => {
    expect((await outlined([3])).map(({ id, startMs, endMs }) => [id, startMs, endMs])).toEqual([
      ['r1-s0', 8_000, 40_000],
    ])
  })

  it('shows the line that begins it with its time and number, under the title of its step', async () => {
    const asked: OutlineTask[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task)
      return [{ first: 1, title: 'All' }]
    }
    const [, spoken, ...others] = said
    const unsaid = [{ ...said[0], text: 'Corrected since.' } as SaidSegment, ...(spoken ? [spoken] : []), ...others]
    await askOutline({ outline }, { ...request, segments: unsaid }, live())
    const lines = outlinePrompt(asked[0] as OutlineTask)[1]?.content.split('\n') ?? []
    expect(lines).toEqual(
      expect.arrayContaining([
        '# Open it',
        '1 [0:04] Now turn the screw number 1.',
        '5 [0:20] Now turn the screw number 5.',
      ]),
    )
    expect(lines.indexOf('# Close it')).toBe(lines.indexOf('5 [0:20] Now turn the screw number 5.') - 1)
    expect(lines.at(-1)).toMatch(/lines 1 to 9 begin/)
  })
})

describe('the chapters of a long list', () => {
  /** Entries of one step each, some of which begin a chapter. */
  const entriesOf = (steps: readonly StepToStore[], chapters: Record<number, string>) =>
    steps.map(({ id, title }, at) => ({ id, title, ...(chapters[at] !== undefined && { chapter: chapters[at] }) }))
  const chaptersOf = (steps: readonly StepToStore[]) => steps.map(({ chapter }) => chapter)
  const dozen = stepsOf(...Array.from({ length: 12 }, () => 20))

  it('stand on each step from the one that begins them on', () => {
    const chapters = chaptersOf(outlineSteps(dozen, entriesOf(dozen, { 1: 'Chapter 1: Open it', 9: '"Close it"' }), []))
    expect(chapters).toEqual([null, ...Array.from({ length: 8 }, () => 'Open it'), 'Close it', 'Close it', 'Close it'])
  })

  it.each([
    ['in a list that is seen at a glance', dozen.slice(1), { 1: 'Open it', 9: 'Close it' }],
    ['where one would hold all', dozen, { 0: 'Open it' }],
    ['where none has a title', dozen, { 0: '?', 6: '"' }],
  ])('the chapters of a long list are left out %s', (_where, steps, chapters) => {
    expect(outlineSteps(steps, entriesOf(steps, chapters), [])).toEqual(steps)
  })

  it('hold a few long entries, and the steps of what would be too long for one', () => {
    const long = stepsOf(290, 290, 290, 290, 50)
    const entries = [
      { id: 'r1-s0', title: 'Too long', chapter: 'Open it' },
      { id: 'r1-s2', title: 'Press', chapter: 'Use it' },
      { id: 'r1-s3', title: 'Hold' },
      { id: 'r1-s4', title: 'Let go' },
    ]
    const outlined = outlineSteps(long, entries, ['r1-s3'])
    expect(outlined.map(({ id, title }) => `${id} ${title}`)).toEqual([
      'r1-s0 Step A',
      'r1-s1 Step B',
      'r1-s2 Press',
      'r1-s3 Step D',
      'r1-s4 Let go',
    ])
    expect(chaptersOf(outlined)).toEqual(['Open it', 'Open it', 'Use it', 'Use it', 'Use it'])
  })
})

describe('askOutline', () => {
  const about = { moduleTitle: 'All menus: save earlier or later', durationMs: null, language: 'en' }

  /** Each step is of one segment, with the step's text. */
  function requestOf(steps: readonly StepToStore[], durationMs: number | null = null) {
    const segments = steps.map(({ segmentIds, originalText: text, startMs, endMs }) => {
      return { id: segmentIds[0] ?? '', startMs, endMs, text }
    })
    return { ...about, durationMs, steps, segments }
  }

  it.each([
    ['24 steps', stepsOf(...Array.from({ length: 24 }, () => 10)), null, true],
    ['23 steps', stepsOf(...Array.from({ length: 23 }, () => 10)), null, false],
    ['20 minutes', stepsOf(20, 30), 20 * 60_000, true],
    ['less', stepsOf(20, 30), 20 * 60_000 - 1, false],
  ])('asks for chapters from 20 minutes or 24 steps on: %s', async (_what, steps, durationMs, hasChapters) => {
    const asked: OutlineTask[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task)
      return [
        { first: 1, title: 'All', chapter: 'Whole' },
        { first: 2, title: 'Save' },
      ]
    }
    const entries = await askOutline({ outline }, requestOf(steps, durationMs), live())
    expect(asked).toMatchObject([{ hasChapters }])
    expect(entries).toEqual([
      { id: 'r1-s0', title: 'All', chapter: 'Whole' },
      { id: 'r1-s1', title: 'Save' },
    ])
    expect(/two levels/.test(outlinePrompt(asked[0] as OutlineTask)[0]?.content ?? '')).toBe(hasChapters)
  })

  it('leaves a list of five steps alone where a model has one entry for all of it', async () => {
    const outline = async () => [{ first: 1, title: 'All' }]
    expect(await askOutline({ outline }, requestOf(stepsOf(20, 20, 20, 20, 20)), live())).toEqual([])
    expect(await askOutline({ outline }, requestOf(stepsOf(20, 20, 20, 20)), live())).toHaveLength(1)
  })

  it('asks once for a list that fits one call', async () => {
    const asked: number[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task.steps.length)
      return [{ first: 2, title: 'Save' }]
    }
    const entries = await askOutline({ outline }, requestOf(stepsOf(20, 30, 40)), live())
    expect(entries).toEqual([{ id: 'r1-s1', title: 'Save' }])
    expect(asked).toEqual([3])
  })

  it('asks in halves for a list that is too long for one call', async () => {
    const asked: number[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task.steps.length)
      expect(task.hasChapters).toBe(true)
      return [{ first: 1, title: `From ${task.steps[0]?.title}` }]
    }
    const long = stepsOf(...Array.from({ length: 400 }, () => 10)).map((step) => ({
      ...step,
      title: '今'.repeat(99),
      originalText: 'y'.repeat(400),
    }))
    const entries = await askOutline({ outline }, requestOf(long), live())
    expect(asked).toEqual([100, 100, 100, 100])
    expect(entries.map(({ id }) => id)).toEqual(['r1-s0', 'r1-s100', 'r1-s200', 'r1-s300'])
  })

  it('asks about a video that would take one call too long in halves, at the same time', async () => {
    const asked: number[] = []
    const answers: ((entries: { first: number; title: string }[]) => void)[] = []
    const outline = (task: OutlineTask) => {
      asked.push(task.steps.length)
      return new Promise<{ first: number; title: string }[]>((resolve) => answers.push(resolve))
    }
    const outlined = askOutline({ outline }, requestOf(stepsOf(...Array.from({ length: 60 }, () => 60))), live())
    expect(asked).toEqual([30, 30])
    // Whichever answers first, entries are in the order of the steps.
    answers[1]?.([{ first: 2, title: 'Later' }])
    answers[0]?.([{ first: 1, title: 'Earlier' }])
    expect((await outlined).map(({ id, title }) => `${id} ${title}`)).toEqual(['r1-s0 Earlier', 'r1-s31 Later'])
  })

  it.each([
    ['whole', 100, 399],
    ['cut short where all of them would be too many', 190, 160],
    ['cut shorter still', 400, 80],
  ])('shows lines %s', async (_how, segmentCount, shownChars) => {
    const words = 'y'.repeat(399)
    const step = { ...stepsOf(290)[0], segmentIds: [] as string[] } as StepToStore
    const segments = Array.from({ length: segmentCount }, (_, at) => {
      return { id: `s${at}`, startMs: at * 400, endMs: at * 400 + 300, text: words }
    })
    const long = {
      ...step,
      segmentIds: segments.map(({ id }) => id),
      originalText: segments.map(() => words).join(' '),
    }
    const asked: OutlineTask[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task)
      return [{ first: 1, title: 'All' }]
    }
    await askOutline({ outline }, { ...about, steps: [long, ...stepsOf(20)], segments }, live())
    const shown = /^2 \[0:00\] (y+)$/m.exec(outlinePrompt(asked[0] as OutlineTask)[1]?.content ?? '')
    expect(shown?.[1]).toHaveLength(shownChars)
  })

  it('asks in halves for so many steps that their entries would not fit into one answer', async () => {
    const asked: number[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task.steps.length)
      return [{ first: 1, title: 'All' }]
    }
    await askOutline({ outline }, requestOf(stepsOf(...Array.from({ length: 201 }, () => 10))), live())
    expect(asked).toEqual([101, 100])
  })
})
