import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STEP_RULES } from '#contract/limits.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { composeSteps } from './compose-steps.ts'
import { type SectionStep, type StepToStore, tidySection, type WrittenSection } from './tidy-section.ts'

/** A step of one segment, which is named after its start in seconds. */
function makeStep(startS: number, endS: number, fields: Partial<SectionStep> = {}): SectionStep {
  return {
    segmentIds: [`s${startS}`],
    startMs: startS * 1_000,
    endMs: endS * 1_000,
    title: `Title ${startS}`,
    description: `What is done at ${startS}.`,
    originalText: `We are at ${startS}.`,
    continues: false,
    ...fields,
  }
}

function written(...steps: SectionStep[]): WrittenSection {
  return { steps, isDraft: false }
}

const ABSENT: WrittenSection = { steps: null, isDraft: false }
const GOES_ON = { continues: true }

/** `id start–end` of each step, in seconds. */
function show(sections: WrittenSection[], fields: Partial<Parameters<typeof composeSteps>[0]> = {}): string[] {
  const steps = composeSteps({ run: 1, durationMs: null, sections, isComplete: true, ...fields })
  return steps.map((step) => `${step.id} ${step.startMs / 1_000}–${step.endMs / 1_000}`)
}

describe('composeSteps', () => {
  it('joins what continues to the last step of the section before', () => {
    const sections = [written(makeStep(0, 20), makeStep(20, 30)), written(makeStep(30, 60, GOES_ON), makeStep(60, 90))]
    expect(show(sections)).toEqual(['r1-s0 0–20', 'r1-s20 20–60', 'r1-s60 60–90'])
    const [, joined] = composeSteps({ run: 1, durationMs: null, sections, isComplete: true })
    expect(joined).toMatchObject({ segmentIds: ['s20', 's30'], originalText: 'We are at 20. We are at 30.' })
  })

  it('describes with a step what it takes over of one that was too short, but nothing twice', () => {
    const told = (startS: number, text: string, fields: Partial<SectionStep> = {}) =>
      [startS, { originalText: text, description: text, ...fields }] as const
    const describe = (given: WrittenSection[]) =>
      composeSteps({ run: 1, durationMs: 33_000, sections: given, isComplete: true }).map((step) => step.description)
    const make = ([startS, fields]: ReturnType<typeof told>, endS: number) => makeStep(startS, endS, fields)
    const [open, close] = [told(0, 'Open the lid.'), told(30, 'Close the lid again.')]
    expect(describe([written(make(open, 30), make(close, 33))])).toEqual(['Open the lid. Close the lid again.'])
    expect(describe([written(make(open, 30), make(told(30, 'So that was it.'), 33))])).toEqual(['Open the lid.'])
    const whole = told(30, 'Open the lid. Close the lid again.', { ...GOES_ON, namesWhole: true })
    expect(describe([written(make(open, 30)), written(make(whole, 33))])).toEqual([
      'Open the lid. Close the lid again.',
    ])
  })

  it('joins the notes of what it joins, and leaves out those on words that the step after has taken over', () => {
    const sections = [
      written(makeStep(0, 20), makeStep(20, 30, { notes: 'We are at 20.' })),
      written(makeStep(30, 40, { ...GOES_ON, notes: 'We are at 30.' }), makeStep(40, 60)),
    ]
    const notesOf = (given: WrittenSection[]) =>
      composeSteps({ run: 1, durationMs: null, sections: given, isComplete: true }).map(({ notes }) => notes)
    expect(notesOf(sections)).toEqual(['', 'We are at 20. We are at 30.', ''])
    const takenOver = { segmentIds: ['s30'], startMs: 30_000, originalText: 'We are at 30.' }
    const first = makeStep(0, 30, { originalText: 'Open the lid.', notes: 'Open the lid.' })
    const rest = makeStep(30, 40, { ...GOES_ON, notes: 'Close the lid.' })
    const taking = [written(first), written(rest), written(makeStep(40, 60, { takenOver }))]
    expect(notesOf(taking)).toEqual(['Open the lid.', ''])
  })

  it('joins through a section that is one step, and through silence', () => {
    const sections = [written(makeStep(0, 20)), written(makeStep(20, 90, GOES_ON)), written()]
    expect(show([...sections, written(makeStep(100, 150, GOES_ON))])).toEqual(['r1-s0 0–150'])
  })

  it('begins a step of its own where the joined one would be too long', () => {
    const sections = [written(makeStep(0, 150)), written(makeStep(150, 299, GOES_ON))]
    expect(show([...sections, written(makeStep(299, 400, GOES_ON))])).toEqual(['r1-s0 0–299', 'r1-s299 299–400'])
    expect(show([written(makeStep(0, 150)), written(makeStep(150, 300, GOES_ON))])).toHaveLength(2)
  })

  it('holds back what continues a section that is not written yet', () => {
    const after = written(makeStep(30, 60, GOES_ON), makeStep(60, 90))
    expect(show([ABSENT, after])).toEqual(['r1-s60 60–90'])
    expect(show([ABSENT, written(makeStep(20, 30, GOES_ON)), after])).toEqual(['r1-s60 60–90'])
  })

  it('holds it back also when the section before is not given', () => {
    expect(show([written(makeStep(30, 60, GOES_ON), makeStep(60, 90))], { from: 3 })).toEqual(['r1-s60 60–90'])
  })

  it('holds back the last step when what may go on with it is not given', () => {
    const cutOff = { isComplete: false, isCutOff: true }
    expect(show([written(makeStep(0, 20), makeStep(20, 40))], cutOff)).toEqual(['r1-s0 0–20'])
    expect(show([written(makeStep(0, 20), makeStep(20, 40)), ABSENT], cutOff)).toHaveLength(2)
  })

  it('takes what continues nothing for a beginning', () => {
    expect(show([written(), written(makeStep(0, 30, GOES_ON))])).toEqual(['r1-s0 0–30'])
  })

  it('ends a step with its own words where the next section is missing, else where the next step starts', () => {
    expect(show([written(makeStep(0, 20)), ABSENT, written(makeStep(60, 90))])).toEqual(['r1-s0 0–20', 'r1-s60 60–90'])
    expect(show([written(makeStep(0, 20)), written(), written(makeStep(40, 90))])).toEqual([
      'r1-s0 0–40',
      'r1-s40 40–90',
    ])
  })

  describe('through a pause of more than 20 s', () => {
    it('ends a step with its last word, and begins the next with its first', () => {
      const sections = [written(makeStep(0, 20)), written(), written(makeStep(40.001, 60), makeStep(60, 90))]
      expect(show(sections)).toEqual(['r1-s0 0–20', 'r1-s40.001 40.001–60', 'r1-s60 60–90'])
    })

    it('continues no step, and takes nothing over', () => {
      expect(show([written(makeStep(0, 20)), written(makeStep(41, 60, GOES_ON))])).toEqual([
        'r1-s0 0–20',
        'r1-s41 41–60',
      ])
      const takenOver = { segmentIds: ['s10'], startMs: 10_000, originalText: 'We are at 10.' }
      const first = { ...makeStep(0, 20), segmentIds: ['s0', 's10'], originalText: 'We are at 0. We are at 10.' }
      const takenFrom = (startS: number) => show([written(first), written(makeStep(startS, 60, { takenOver }))])
      expect(takenFrom(41)).toEqual(['r1-s0 0–20', 'r1-s41 41–60'])
      expect(takenFrom(40)).toEqual(['r1-s0 0–10', 'r1-s40 10–60'])
    })

    it.each([
      ['the step before it', 45, ['r1-s0 0–49', 'r1-s80 80–99']],
      ['the step after it', 54, ['r1-s0 0–20', 'r1-s80 54–99']],
      ['the step before it, of two as near', 48, ['r1-s0 0–52', 'r1-s80 80–99']],
    ])('gives less than five seconds of speech to %s', (_what, startS, steps) => {
      const words = makeStep(startS, startS + 4)
      expect(show([written(makeStep(0, 20)), written(words), written(makeStep(80, 99))])).toEqual(steps)
    })

    it('gives it to the only step beside it at either end of the video', () => {
      expect(show([written(makeStep(0, 4), makeStep(40, 60))])).toEqual(['r1-s40 0–60'])
      expect(show([written(makeStep(0, 20), makeStep(50, 54))], { durationMs: 300_000 })).toEqual(['r1-s0 0–54'])
    })

    it('leaves it a step of five seconds where no step is near enough', () => {
      const far = [makeStep(0, 20), makeStep(400, 403), makeStep(800, 820)]
      expect(show([written(...far)])).toEqual(['r1-s0 0–20', 'r1-s400 400–405', 'r1-s800 800–820'])
      const scattered = [0, 30, 60, 90].map((startS) => makeStep(startS, startS + 2))
      expect(show([written(...scattered)], { durationMs: 93_000 })).toEqual([
        'r1-s0 0–5',
        'r1-s30 30–35',
        'r1-s60 60–65',
        'r1-s90 88–93',
      ])
    })

    it('gives a scrap or greeting to what it was said with', () => {
      const scrap = [makeStep(0, 20), makeStep(50, 53), makeStep(53, 70)]
      expect(show([written(...scrap)])).toEqual(['r1-s0 0–20', 'r1-s53 50–70'])
      const greeting = [makeStep(0, 20), makeStep(50, 60, { isFraming: true }), makeStep(60, 70)]
      expect(show([written(...greeting)])).toEqual(['r1-s0 0–20', 'r1-s60 50–70'])
      const alone = [makeStep(0, 20), makeStep(50, 60, { isFraming: true })]
      expect(show([written(...alone)])).toEqual(['r1-s0 0–20', 'r1-s50 50–60'])
    })

    it('shows a few words only once it is known what they belong to', () => {
      const open = { isComplete: false }
      const words = written(makeStep(50, 53))
      expect(show([written(makeStep(0, 20)), words], open)).toEqual(['r1-s0 0–20'])
      expect(show([written(makeStep(0, 20)), words, written(makeStep(75, 78))], open)).toEqual(['r1-s0 0–20'])
      const more = [words, written(makeStep(75, 78)), written(makeStep(78, 99, GOES_ON))]
      expect(show([written(makeStep(0, 20)), ...more], open)).toEqual(['r1-s0 0–20', 'r1-s75 50–99'])
    })
  })

  it('shows a scrap at an open end only when it has become a step', () => {
    const first = written(makeStep(0, 20), makeStep(20, 23))
    const open = { isComplete: false }
    expect(show([first], open)).toEqual(['r1-s0 0–20'])
    expect(show([first, written(makeStep(23, 60, GOES_ON))], open)).toEqual(['r1-s0 0–20', 'r1-s20 20–60'])
    expect(show([first, written(makeStep(30, 60))], open)).toEqual(['r1-s0 0–20', 'r1-s20 20–30', 'r1-s30 30–60'])
    expect(show([first, written(makeStep(23, 60))], open)).toEqual(['r1-s0 0–23', 'r1-s23 23–60'])
    expect(show([first])).toEqual(['r1-s0 0–23'])
  })

  it('puts a scrap at the very start before the next step, which keeps its id', () => {
    const next = written(makeStep(3, 30))
    expect(show([ABSENT, next])).toEqual(['r1-s3 3–30'])
    expect(show([written(makeStep(0, 3)), next])).toEqual(['r1-s3 0–30'])
  })

  it('gives the silence after the last word to the last step, unless it is a long pause', () => {
    expect(show([written(makeStep(0, 20))], { durationMs: 40_000 })).toEqual(['r1-s0 0–40'])
    expect(show([written(makeStep(0, 20))], { durationMs: 40_001 })).toEqual(['r1-s0 0–20'])
    expect(show([written(makeStep(0, 20))], { durationMs: 40_000, isComplete: false })).toEqual(['r1-s0 0–20'])
  })

  it('takes names from a member that is a step by itself, and marks what has any draft in it', () => {
    const sections = [written(makeStep(0, 3)), { steps: [makeStep(3, 30, GOES_ON)], isDraft: true }]
    const [step] = composeSteps({ run: 2, durationMs: null, sections, isComplete: true })
    expect(step).toMatchObject({ id: 'r2-s0', title: 'Title 3', description: 'What is done at 3.', isDraft: true })
  })

  it('prefers the latest texts that are about the whole step', () => {
    const pieces = [20, 40].map((startS) => written(makeStep(startS, startS + 20, { ...GOES_ON, namesWhole: true })))
    const sections = [written(makeStep(0, 20)), ...pieces, written(makeStep(60, 80, GOES_ON))]
    const [step] = composeSteps({ run: 1, durationMs: null, sections, isComplete: true })
    expect(step).toMatchObject({ id: 'r1-s0', title: 'Title 40', description: 'What is done at 40.' })
  })

  describe('with a step that takes over the end of the section before', () => {
    const first = written(makeStep(0, 20), {
      ...makeStep(20, 40),
      segmentIds: ['s20', 's30'],
      originalText: 'We are at 20. We are at 30.',
    })
    const takenOver = { segmentIds: ['s30'], startMs: 30_000, originalText: 'We are at 30.' }
    const second = written(makeStep(40, 60, { takenOver }))

    it('lets it begin there, and the step that was under way end', () => {
      expect(show([first, second])).toEqual(['r1-s0 0–20', 'r1-s20 20–30', 'r1-s40 30–60'])
      const steps = composeSteps({ run: 1, durationMs: null, sections: [first, second], isComplete: true })
      expect(steps.slice(1)).toMatchObject([
        { segmentIds: ['s20'], originalText: 'We are at 20.' },
        { segmentIds: ['s30', 's40'], originalText: 'We are at 30. We are at 40.' },
      ])
    })

    it('shows it from the boundary until that section is written', () => {
      expect(show([ABSENT, second])).toEqual(['r1-s40 40–60'])
    })

    it('holds it back when that section is not given', () => {
      expect(show([second], { from: 1 })).toEqual([])
    })

    it('leaves the end to a step that is none without it, and to one that has ended otherwise', () => {
      const short = { ...makeStep(26, 40), segmentIds: ['s26', 's30'], originalText: 'We are at 26. We are at 30.' }
      expect(show([written(makeStep(0, 26), short), second])).toEqual(['r1-s0 0–26', 'r1-s26 26–40', 'r1-s40 40–60'])
      expect(show([written(makeStep(0, 40)), second])).toEqual(['r1-s0 0–40', 'r1-s40 40–60'])
    })

    it('lets the next one take over from it in turn', () => {
      const third = { segmentIds: ['s40'], startMs: 40_000, originalText: 'We are at 40.' }
      const sections = [first, second, written(makeStep(60, 80, { takenOver: third }))]
      expect(show(sections)).toEqual(['r1-s0 0–20', 'r1-s20 20–30', 'r1-s40 30–40', 'r1-s60 40–80'])
      const [, , step] = composeSteps({ run: 1, durationMs: null, sections, isComplete: true })
      expect(step).toMatchObject({ segmentIds: ['s30'], originalText: 'We are at 30.' })
    })
  })

  it('makes titles distinct over sections', () => {
    const named = { title: 'Save it', originalText: 'Now click the blue button.' }
    const sections = [written(makeStep(0, 20, named)), written(makeStep(20, 40, named))]
    const titles = composeSteps({ run: 1, durationMs: null, sections, isComplete: true }).map((step) => step.title)
    expect(titles).toEqual(['Save it', 'Click the blue button'])
  })

  it('stays without overlap when sections overlap', () => {
    const sections = [written(makeStep(0, 40)), ABSENT, written(makeStep(30, 60)), written(makeStep(28, 70))]
    expect(show(sections)).toEqual(['r1-s0 0–28', 'r1-s28 28–70'])
  })
})

/** A recording that was transcribed in sections, and the steps of each. */
const recording = fc
  .array(
    fc.array(
      fc.record({
        lengthMs: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 400_000 })),
        gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
        text: fc.constantFrom('Open the window.', 'now we save it', 'x', '', '…'),
        title: fc.constantFrom('Save it', 'Open the window', '', 'Step 2'),
        isStart: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
    { maxLength: 8 },
  )
  .chain((pieces) => fc.tuple(fc.constant(pieces), fc.infiniteStream(fc.boolean())))
  .map(([pieces, coins]) => {
    let atMs = 0
    let id = 0
    const segments: SaidSegment[][] = []
    const sections = pieces.map((section) => {
      const said = section.map(({ lengthMs, gapMs, text }): SaidSegment => {
        const startMs = atMs + gapMs
        atMs = startMs + lengthMs
        return { id: `s${id++}`, startMs, endMs: atMs, text }
      })
      const before = segments.flat()
      segments.push(said)
      const continues = coins.next().value === true
      const taken = before.slice(-1 - (id % 4)).filter(() => coins.next().value === true)
      const drafts = said.flatMap((segment, index) => {
        const { isStart, title } = section[index] as (typeof section)[number]
        const segmentIds = [...(index === 0 ? taken.map((other) => other.id) : []), segment.id]
        return isStart || index === 0 ? [{ segmentIds, title, description: '', continues, namesWhole: continues }] : []
      })
      const steps = tidySection({ drafts, before, segments: said, durationMs: null })
      return { steps, isDraft: coins.next().value === true }
    })
    return { segments: segments.flat(), sections, endMs: atMs }
  })
const runs = { numRuns: 1_000 }

describe('composeSteps on any recording', () => {
  const settings = fc.record({ run: fc.constant(1), durationMs: fc.constant(null), isComplete: fc.boolean() })

  it('gives ids that all sections together give too, whichever are there', () => {
    fc.assert(
      fc.property(recording, settings, fc.array(fc.boolean()), fc.nat(8), fc.nat(8), (made, at, holes, from, to) => {
        const { sections } = made
        const all = composeSteps({ ...at, sections, isComplete: true }).map((step) => step.id)
        const some = sections.map((section, index) => (holes[index] === true ? ABSENT : section))
        const isComplete = at.isComplete && from + to >= sections.length
        const window = some.slice(from, from + to)
        const ids = composeSteps({ ...at, sections: window, from, isComplete }).map((step) => step.id)
        expect(all).toEqual(expect.arrayContaining(ids))
      }),
      runs,
    )
  })

  it('keeps what was shown when one more section is written', () => {
    fc.assert(
      fc.property(recording, settings, fc.array(fc.boolean()), fc.nat(), (made, at, holes, pick) => {
        const some = made.sections.map((section, index) => (holes[index] === true ? ABSENT : section))
        const added = pick % Math.max(1, some.length)
        const more = some.map((section, index) => (index === added ? (made.sections[added] ?? ABSENT) : section))
        const before = composeSteps({ ...at, sections: some }).map((step) => step.id)
        const after = composeSteps({ ...at, sections: more }).map((step) => step.id)
        expect(after).toEqual(expect.arrayContaining(before))
      }),
      runs,
    )
  })

  it('shows the same from some neighbouring sections as from all', () => {
    fc.assert(
      fc.property(recording, fc.array(fc.boolean()), fc.nat(8), fc.nat(8), (made, holes, from, count) => {
        const some = made.sections.map((section, index) => (holes[index] === true ? ABSENT : section))
        const at = { run: 1, durationMs: null, isComplete: false }
        const shapesOf = (steps: StepToStore[]) =>
          steps.map(({ id, startMs, endMs, segmentIds }) => ({ id, startMs, endMs, segmentIds }))
        const all = shapesOf(composeSteps({ ...at, sections: some }))
        const sections = some.slice(from, from + count)
        const isCutOff = from + count < some.length
        const shown = shapesOf(composeSteps({ ...at, sections, from, isCutOff }))
        // The very first step also takes in scraps before it, of however many sections.
        const comparable = from === 0 ? shown : shown.filter((step) => step.id !== all[0]?.id)
        expect(all).toEqual(expect.arrayContaining(comparable))
      }),
      runs,
    )
  })

  it('keeps every rule of the editor', { tags: 'spec-5.7' }, () => {
    fc.assert(
      fc.property(
        recording,
        settings,
        fc.array(fc.boolean()),
        fc.option(fc.nat(900_000)),
        (made, at, holes, durationMs) => {
          const sections = made.sections.map((section, index) => (holes[index] === true ? ABSENT : section))
          const steps = composeSteps({ ...at, sections, durationMs })
          expect(new Set(steps.map((step) => step.title.toLowerCase())).size).toBe(steps.length)
          steps.forEach((step, index) => {
            const lengthS = (step.endMs - step.startMs) / 1_000
            expect(lengthS).toBeGreaterThanOrEqual(STEP_RULES.minDurationS)
            expect(lengthS).toBeLessThan(STEP_RULES.maxDurationS)
            expect(step.startMs).toBeGreaterThanOrEqual(steps[index - 1]?.endMs ?? 0)
            expect(step.endMs).toBeLessThanOrEqual(durationMs || made.endMs)
            expect(step.title.length).toBeGreaterThanOrEqual(STEP_RULES.titleMinChars)
            expect(step.title.length).toBeLessThanOrEqual(STEP_RULES.titleMaxChars)
          })
          const ids = steps.flatMap((step) => step.segmentIds)
          expect(new Set(ids).size).toBe(ids.length)
          expect(new Set(steps.map((step) => step.id)).size).toBe(steps.length)
        },
      ),
      runs,
    )
  })

  it('goes through a pause of more than 20 s only beside less than five seconds of speech', () => {
    fc.assert(
      fc.property(recording, ({ segments, sections, endMs }) => {
        const said = new Map(segments.map((segment) => [segment.id, segment]))
        for (const step of composeSteps({ run: 1, durationMs: endMs + 60_000, sections, isComplete: true })) {
          const own = step.segmentIds.map((id) => said.get(id) as SaidSegment)
          const starts = own.flatMap((segment, at) => {
            const pauseMs = segment.startMs - (own[at - 1]?.endMs ?? segment.startMs)
            return at === 0 || pauseMs > 20_000 ? [at] : []
          })
          const lengths = starts.map((at, order) => {
            const last = own[(starts[order + 1] ?? own.length) - 1]
            return (last?.endMs ?? 0) - (own[at]?.startMs ?? 0)
          })
          expect(lengths.filter((lengthMs) => lengthMs >= 5_000).length).toBeLessThanOrEqual(1)
          expect(lengths.length).toBeLessThanOrEqual(3)
          expect(step.startMs).toBe(own[0]?.startMs)
          expect(step.endMs - (own.at(-1)?.endMs ?? 0)).toBeLessThanOrEqual(20_000)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('covers everything that was said once it is complete, in order', () => {
    fc.assert(
      fc.property(recording, ({ segments, sections, endMs }) => {
        const durationMs = Math.max(5_000, endMs + 1)
        const steps = composeSteps({ run: 1, durationMs, sections, isComplete: true })
        const spoken = segments.filter((segment) => segment.text !== '' && segment.endMs > 0)
        expect(steps.flatMap((step) => step.segmentIds)).toEqual(spoken.map((segment) => segment.id))
      }),
      runs,
    )
  })
})
