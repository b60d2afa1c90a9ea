import { describe, expect, it } from 'vitest'
import { BLANK_STEP } from '#contract/step.ts'
import type { OutlineTask } from '#worker/ports/language-model.ts'
import { askOutline, outlineSteps } from './outline-steps.ts'
import { outlinePrompt } from './prompts/outline-steps.v1.ts'
import { MAX_STEP_MS, type StepToStore } from './tidy-section.ts'

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

  it('gives what only announces the first entry to that entry', () => {
    expect(listed(outlineSteps(steps, [{ id: 'r1-s1', title: 'All of it' }], []))).toEqual(['r1-s0 All of it 140'])
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
  ])('are left out %s', (_where, steps, chapters) => {
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
  const request = { moduleTitle: 'Menus', durationMs: null, language: 'en' }

  it.each([
    ['24 steps', stepsOf(...Array.from({ length: 24 }, () => 10)), null, true],
    ['23 steps', stepsOf(...Array.from({ length: 23 }, () => 10)), null, false],
    ['20 minutes', stepsOf(20, 30), 20 * 60_000, true],
    ['less', stepsOf(20, 30), 20 * 60_000 - 1, false],
  ])('asks for chapters from 20 minutes or 24 steps on: %s', async (_what, steps, durationMs, hasChapters) => {
    const asked: OutlineTask[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task)
      return [{ first: 1, title: 'All', chapter: 'Whole' }]
    }
    const entries = await askOutline({ outline }, { ...request, durationMs, steps }, live())
    expect(asked).toMatchObject([{ hasChapters }])
    expect(entries).toEqual([{ id: 'r1-s0', title: 'All', chapter: 'Whole' }])
    expect(/two levels/.test(outlinePrompt(asked[0] as OutlineTask)[0]?.content ?? '')).toBe(hasChapters)
  })

  it('asks once for a list that fits one call', async () => {
    const asked: number[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task.steps.length)
      return [{ first: 2, title: 'Save' }]
    }
    const entries = await askOutline({ outline }, { ...request, steps: stepsOf(20, 30, 40) }, live())
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
      title: 'x'.repeat(99),
      description: 'y'.repeat(400),
    }))
    const entries = await askOutline({ outline }, { ...request, steps: long }, live())
    expect(asked).toEqual([200, 200])
    expect(entries.map(({ id }) => id)).toEqual(['r1-s0', 'r1-s200'])
  })

  it('asks in halves for so many steps that their entries would not fit into one answer', async () => {
    const asked: number[] = []
    const outline = async (task: OutlineTask) => {
      asked.push(task.steps.length)
      return [{ first: 1, title: 'All' }]
    }
    await askOutline({ outline }, { ...request, steps: stepsOf(...Array.from({ length: 201 }, () => 10)) }, live())
    expect(asked).toEqual([101, 100])
  })
})
