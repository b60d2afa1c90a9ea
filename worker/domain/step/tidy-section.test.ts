import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STEP_RULES } from '#contract/limits.ts'
import { validateStep } from '#contract/step-editing.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import { composeSteps } from './compose-steps.ts'
import { tidySection } from './tidy-section.ts'
import { clearUnsureTitles, markUnsureWords } from './unsure-words.ts'

/** The steps of a video that is one section. */
function tidySteps(input: Parameters<typeof tidySection>[0]) {
  const sections = [{ steps: tidySection(input), isDraft: false }]
  return composeSteps({ run: 1, durationMs: input.durationMs, sections, isComplete: true })
}

/** `count` segments of `lengthS` seconds each, one after the other. */
function makeSegments(count: number, lengthS: number): SaidSegment[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    startMs: index * lengthS * 1_000,
    endMs: (index + 1) * lengthS * 1_000,
    text: `Open window number ${index} and check the result.`,
  }))
}

function makeDraft(segmentIds: string[], title: string): StepDraft {
  return { segmentIds, title, description: `What ${title} is about.` }
}

describe('tidySection', () => {
  describe('words that may not have been said', () => {
    const said: SaidSegment[] = [
      { id: 's0', startMs: 0, endMs: 60_000, text: 'Open the turtle cheering now', unsure: [2, 3] },
      { id: 's1', startMs: 60_000, endMs: 120_000, text: 'Click new project and wait', unsure: [] },
    ]
    const titlesOf = (drafts: StepDraft[]) =>
      tidySteps({ drafts, segments: said, durationMs: 120_000 }).map((step) => step.title)

    it('words that may not have been said are in no title of a writer; a step without others is titled by its times', () => {
      const drafts = [makeDraft(['s0'], 'Open the turtle'), makeDraft(['s1'], 'Click new project')]
      expect(titlesOf(drafts)).toEqual(['Part 1 (0:00–1:00)', 'Click new project'])
    })

    it('words that may not have been said are in no title that is made of what was said', () => {
      expect(titlesOf([makeDraft(['s0'], ''), makeDraft(['s1'], '')])).toEqual([
        'Part 1 (0:00–1:00)',
        'Click new project',
      ])
    })

    it('leave a step past the first hour to its times in hours', () => {
      const later = said.map((segment) => {
        return { ...segment, startMs: segment.startMs + 3_570_000, endMs: segment.endMs + 3_570_000 }
      })
      const [first] = tidySteps({
        drafts: [makeDraft(['s0'], ''), makeDraft(['s1'], '')],
        segments: later,
        durationMs: null,
      })
      expect(first?.title).toBe('Part 1 (59:30–1:00:30)')
    })

    it('words that may not have been said are in no title of an entry, whose steps then keep theirs', () => {
      const entries = [
        { id: 'a', title: 'Open the turtle' },
        { id: 'b', title: 'Click new project', chapter: 'Turtle graphics' },
      ]
      expect(clearUnsureTitles(entries, said)).toEqual([
        { id: 'a', title: '' },
        { id: 'b', title: 'Click new project', chapter: '' },
      ])
      const surely = { id: 's2', startMs: 120_000, endMs: 130_000, text: 'The turtle waits.' }
      expect(clearUnsureTitles(entries, [...said, surely])).toEqual(entries)
    })

    it('words that may not have been said are sure where they are said surely elsewhere, or known beforehand', () => {
      const unsureOf = (known: string[], text = 'Save it.') =>
        markUnsureWords([...said, { id: 's2', startMs: 120_000, endMs: 130_000, text }], known)[0]?.unsure
      expect(unsureOf([])).toEqual([2, 3])
      expect(unsureOf(['Turtle Graphics'])).toEqual([3])
      expect(unsureOf([], 'The turtle is cheering.')).toEqual([])
    })

    it('words that may not have been said are all with a meaning that are said once where the transcript is rough, and those that are guesses', () => {
      const rough = [
        { id: 's0', startMs: 0, endMs: 9_000, text: 'open the new project page', unsure: [0, 4], guessed: [4] },
        { id: 's1', startMs: 9_000, endMs: 19_000, text: 'the page of the project airbase', unsure: [], guessed: [] },
        {
          id: 's2',
          startMs: 19_000,
          endMs: 29_000,
          text: 'a project has projects on it',
          unsure: [0, 4, 5],
          guessed: [],
        },
      ]
      const markedIn = (known: string[]) =>
        markUnsureWords(rough, known).map(({ text, unsure }) => unsure.map((at) => text.split(' ')[at]))
      // "page" is said twice, but once only as a guess; "the" and "of" name nothing.
      expect(markedIn([])).toEqual([['open', 'page'], ['page', 'airbase'], []])
      expect(markedIn(['Opening the home page'])).toEqual([[], ['airbase'], []])
    })

    it('words that may not have been said are those that are said often where the transcript is rough, and never with confidence', () => {
      const line = { startMs: 0, endMs: 9_000, text: 'add a sign to the sign', guessed: [] }
      const markedIn = (unsure: number[]) => markUnsureWords([{ ...line, id: 's0', unsure }])[0]?.unsure
      expect(markedIn([2, 5])).toEqual([0, 2, 5])
      expect(markedIn([0, 2])).toEqual([0])
    })
  })

  it('passes on that the first step continues, and of no other', () => {
    const drafts = [
      { ...makeDraft(['s0'], 'First chunk'), continues: true },
      { ...makeDraft(['s2'], 'Second chunk'), continues: true },
    ]
    const steps = tidySection({ drafts, segments: makeSegments(4, 10), durationMs: null })
    expect(steps.map((step) => step.continues)).toEqual([true, false])
  })

  it('passes on that the first step names all that it continues', () => {
    const namesWhole = (continues: boolean) => {
      const drafts = [{ ...makeDraft(['s0'], 'First chunk'), continues, namesWhole: true }]
      return tidySection({ drafts, segments: makeSegments(4, 10), durationMs: null })[0]?.namesWhole
    }
    expect([namesWhole(true), namesWhole(false)]).toEqual([true, undefined])
  })

  describe('a first step that names segments before the section', () => {
    const all = makeSegments(12, 10)
    const takenFrom = (id: string, fields: Partial<StepDraft> = {}, segments = all.slice(8)) => {
      const drafts = [{ ...makeDraft([id, 's8'], 'First chunk'), ...fields }, makeDraft(['s10'], 'Second chunk')]
      const [first, second] = tidySection({ drafts, before: all.slice(0, 8), segments, durationMs: null })
      expect(second?.takenOver).toBeUndefined()
      expect(first?.segmentIds[0]).toBe('s8')
      return first?.takenOver
    }

    it('takes over from there on', () => {
      const [six, seven] = all.slice(6).map((segment) => segment.text)
      const originalText = `${six} ${seven}`
      expect(takenFrom('s6')).toEqual({ segmentIds: ['s6', 's7'], startMs: 60_000, originalText })
    })

    it('takes over half a minute at most', () => {
      expect(takenFrom('s5')?.segmentIds).toEqual(['s5', 's6', 's7'])
      expect(takenFrom('s4')).toBeUndefined()
    })

    it('takes nothing over when it continues, or is none by itself', () => {
      expect(takenFrom('s7', { continues: true })).toBeUndefined()
      const lasting = (endMs: number) => [{ ...(all[8] as SaidSegment), endMs }]
      expect(takenFrom('s7', {}, lasting(85_000))).toBeDefined()
      expect(takenFrom('s7', {}, lasting(84_999))).toBeUndefined()
    })
  })

  it('keeps a scrap at either end that may belong to a neighbour, and joins one inside', () => {
    const segments = makeSegments(6, 4)
    const drafts = ['s0', 's1', 's3', 's4', 's5'].map((id) => makeDraft([id], `Chunk ${id}`))
    const idsOf = (isContinued: boolean) =>
      tidySection({
        drafts: drafts.map((draft, index) => ({ ...draft, continues: isContinued && index === 0 })),
        segments,
        durationMs: null,
      }).map((step) => step.segmentIds.join(' '))
    expect(idsOf(false)).toEqual(['s0 s1 s2 s3 s4', 's5'])
    expect(idsOf(true)).toEqual(['s0', 's1 s2 s3 s4', 's5'])
  })

  describe('a pause of more than 20 s', () => {
    /** Each so many seconds long, and so many seconds after the one before it. */
    const say = (...said: readonly (readonly [pauseS: number, lengthS: number])[]): SaidSegment[] => {
      let atMs = 0
      return said.map(([pauseS, lengthS], index) => {
        const startMs = atMs + pauseS * 1_000
        atMs = startMs + lengthS * 1_000
        return { id: `s${index}`, startMs, endMs: atMs, text: `Open window number ${index} and check the result.` }
      })
    }
    const show = (segments: SaidSegment[], drafts: StepDraft[] = []) =>
      tidySection({ drafts, segments, durationMs: null }).map(({ segmentIds, title, startMs, endMs }) => {
        return [segmentIds.join(' '), title, startMs / 1_000, endMs / 1_000]
      })

    it('is in no step: one ends with its last word, the next begins with its first', () => {
      const segments = say([0, 8], [1, 9], [90, 8], [1, 8])
      const drafts = [makeDraft(['s0', 's1', 's2', 's3'], 'Open all windows')]
      expect(show(segments, drafts)).toEqual([
        ['s0 s1', 'Open all windows', 0, 18],
        ['s2 s3', 'Open window number 2', 108, 125],
      ])
      expect(show(say([0, 8], [20, 8]), [makeDraft(['s0', 's1'], 'Open all')])).toEqual([['s0 s1', 'Open all', 0, 36]])
    })

    it('leaves the draft to the part with the most speech, and what it continues to the first', () => {
      const draft = { ...makeDraft(['s0', 's1'], 'Open all windows'), continues: true, namesWhole: true }
      const [first, second] = tidySection({ drafts: [draft], segments: say([0, 6], [30, 9]), durationMs: null })
      expect(first).toMatchObject({ title: 'Open window number 0', continues: true })
      expect(first?.namesWhole).toBeUndefined()
      expect(second).toMatchObject({ title: 'Open all windows', continues: false })
    })

    it('joins no scrap to what is beyond it', () => {
      const segments = say([0, 8], [30, 3], [0, 9], [0, 3], [30, 3], [30, 8])
      const drafts = segments.map(({ id }) => makeDraft([id], `Chunk ${id}`))
      expect(show(segments, drafts).map(([ids]) => ids)).toEqual(['s0', 's1 s2 s3', 's4', 's5'])
    })
  })

  it('survives being stored as JSON', () => {
    const steps = tidySection({ drafts: [makeDraft(['s0'], 'One')], segments: makeSegments(3, 10), durationMs: 9_500 })
    expect(JSON.parse(JSON.stringify(steps))).toEqual(steps)
  })
})

describe('the steps of a single section', () => {
  it('keeps good drafts as they are and takes times from segments', () => {
    const drafts = [makeDraft(['s0', 's1'], 'Open the app'), makeDraft(['s2', 's3'], 'Save the file')]
    expect(tidySteps({ drafts, segments: makeSegments(4, 10), durationMs: 40_000 })).toMatchObject([
      { title: 'Open the app', startMs: 0, endMs: 20_000, segmentIds: ['s0', 's1'] },
      { title: 'Save the file', startMs: 20_000, endMs: 40_000, segmentIds: ['s2', 's3'] },
    ])
  })

  it('orders drafts by time and drops ids that do not exist', () => {
    const drafts = [
      makeDraft(['s2', 'nope'], 'Second chunk'),
      makeDraft(['s0'], 'First chunk'),
      makeDraft(['gone'], 'Nowhere'),
    ]
    const steps = tidySteps({ drafts, segments: makeSegments(4, 10), durationMs: 40_000 })
    expect(steps.map((step) => step.title)).toEqual(['First chunk', 'Second chunk'])
  })

  it('does not let one stray id move a step', () => {
    const drafts = [makeDraft(['s0', 's1'], 'First chunk'), makeDraft(['s1', 's20', 's21', 's22'], 'Second chunk')]
    const steps = tidySteps({ drafts, segments: makeSegments(30, 5), durationMs: 150_000 })
    expect(steps[1]?.startMs).toBe(100_000)
  })

  it('covers a hole between drafts with the step before it', () => {
    const drafts = [makeDraft(['s0'], 'First chunk'), makeDraft(['s3'], 'Second chunk')]
    const steps = tidySteps({ drafts, segments: makeSegments(4, 10), durationMs: 40_000 })
    expect(steps[0]).toMatchObject({ endMs: 30_000, segmentIds: ['s0', 's1', 's2'] })
  })

  it('makes a step of a long beginning that no draft mentions', () => {
    const steps = tidySteps({ drafts: [makeDraft(['s5'], 'Late')], segments: makeSegments(8, 10), durationMs: 80_000 })
    expect(steps.map((step) => step.startMs)).toEqual([0, 50_000])
  })

  it('covers the whole narration without any draft', () => {
    const steps = tidySteps({ drafts: [], segments: makeSegments(3, 10), durationMs: null })
    expect(steps).toMatchObject([{ startMs: 0, endMs: 30_000, segmentIds: ['s0', 's1', 's2'] }])
  })

  it('merges a step of under five seconds and keeps one of exactly five', () => {
    const segments = makeSegments(4, 5)
    const drafts = ['s0', 's1', 's2', 's3'].map((id) => makeDraft([id], `Chunk ${id}`))
    expect(tidySteps({ drafts, segments, durationMs: 20_000 })).toHaveLength(4)
    expect(tidySteps({ drafts, segments, durationMs: 19_999 })).toHaveLength(3)
  })

  it('splits a step of five minutes at a pause, with a title for each chunk', () => {
    const segments = makeSegments(31, 10).map((segment, index) => {
      return index < 16 ? segment : { ...segment, startMs: segment.startMs + 3_000, endMs: segment.endMs + 3_000 }
    })
    const drafts = [
      makeDraft(
        segments.map((segment) => segment.id),
        'Everything',
      ),
    ]
    const steps = tidySteps({ drafts, segments, durationMs: 320_000 })
    expect(steps.map((step) => step.startMs)).toEqual([0, 163_000])
    expect(new Set(steps.map((step) => step.title)).size).toBe(2)
  })

  it('makes equal titles distinct and strips numbering', () => {
    const drafts = [makeDraft(['s0'], 'Step 1: Save it'), makeDraft(['s1'], 'save it'), makeDraft(['s2'], 'Step 3')]
    const titles = tidySteps({ drafts, segments: makeSegments(3, 10), durationMs: 30_000 }).map((step) => step.title)
    expect(titles[0]).toBe('Save it')
    expect(new Set(titles.map((title) => title.toLowerCase())).size).toBe(3)
    expect(titles.some((title) => /step \d/i.test(title))).toBe(false)
  })

  it('cuts what is too long and replaces what is too short', () => {
    const draft = { segmentIds: ['s0'], title: 'word '.repeat(40), description: 'x' }
    const [step] = tidySteps({ drafts: [draft], segments: makeSegments(1, 10), durationMs: 10_000 })
    expect(step?.title.length).toBeLessThanOrEqual(STEP_RULES.titleMaxChars)
    expect(step?.description).toBe('Open window number 0 and check the result.')
  })

  it('starts earlier when the only words come in the last seconds', () => {
    const segments = [{ id: 'a', startMs: 18_000, endMs: 19_500, text: 'That is all.' }]
    expect(tidySteps({ drafts: [], segments, durationMs: 20_000 })).toMatchObject([{ startMs: 15_000, endMs: 20_000 }])
  })

  it('gives nothing for silence or a video of under five seconds', () => {
    expect(tidySteps({ drafts: [makeDraft(['s0'], 'Ghost')], segments: [], durationMs: 60_000 })).toEqual([])
    expect(tidySteps({ drafts: [], segments: makeSegments(1, 4), durationMs: 4_999 })).toEqual([])
    expect(tidySteps({ drafts: [], segments: makeSegments(1, 4), durationMs: null })).toEqual([])
  })

  it('ignores segments without usable times', () => {
    const segments = [...makeSegments(2, 10), { id: 'bad', startMs: Number.NaN, endMs: 5, text: 'Lost.' }]
    expect(tidySteps({ drafts: [], segments, durationMs: Number.NaN })).toMatchObject([{ segmentIds: ['s0', 's1'] }])
  })
})

const hostileText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 700 }),
  fc.constantFrom('', ' ', 'Step 3', 'Save it', 'save it', '1. ', '\u0000', '…', '**Bold**', '\uD83D'),
  fc.lorem({ maxCount: 120 }),
)
const hostileTime = fc.oneof(
  fc.integer({ min: -5_000, max: 4_000_000 }),
  fc.double({ min: -10, max: 900_000 }),
  fc.constantFrom(0, 1, Number.NaN, Number.POSITIVE_INFINITY),
)
const segmentId = fc.integer({ min: 0, max: 60 }).map((number) => `s${number}`)
const hostileSegment = fc.record({ id: segmentId, startMs: hostileTime, endMs: hostileTime, text: hostileText })
const spokenSegments = fc
  .array(
    fc.record({
      lengthMs: fc.integer({ min: 0, max: 400_000 }),
      gapMs: fc.integer({ min: -2_000, max: 60_000 }),
      text: hostileText,
    }),
    {
      maxLength: 60,
    },
  )
  .map((pieces) => {
    let atMs = 0
    return pieces.map(({ lengthMs, gapMs, text }, index) => {
      const startMs = Math.max(0, atMs + gapMs)
      atMs = startMs + lengthMs
      return { id: `s${index}`, startMs, endMs: atMs, text }
    })
  })
const untidy = fc.record({
  segments: fc.oneof(fc.array(hostileSegment, { maxLength: 60 }), spokenSegments),
  drafts: fc.array(
    fc.record({
      segmentIds: fc.array(segmentId, { maxLength: 20 }),
      title: hostileText,
      description: hostileText,
      notes: hostileText,
    }),
    {
      maxLength: 20,
    },
  ),
  durationMs: fc.oneof(fc.constant(null), hostileTime),
})

describe('the notes of a writer', () => {
  const texts = ['Unplug the machine first.', 'Never touch the hot plate.', 'Close the lid again.', 'Wait ten minutes.']
  const segments = texts.map((text, at): SaidSegment => {
    return { id: `s${at}`, startMs: at * 10_000, endMs: (at + 1) * 10_000, text }
  })
  const noted = (ids: string[], notes: string) => ({ ...makeDraft(ids, `Do ${ids[0]}`), notes })
  const notesOf = (drafts: StepDraft[], said = segments) =>
    tidySteps({ drafts, segments: said, durationMs: 40_000 }).map(({ notes }) => notes)

  it('the notes of a writer stay with their step as far as its own words support them', () => {
    const drafts = [
      noted(['s0', 's1'], 'Learners forget to unplug the machine first. They also lose the key.'),
      noted(['s2', 's3'], 'Never touch the hot plate.'),
    ]
    expect(notesOf(drafts)).toEqual(['Learners forget to unplug the machine first.', ''])
  })

  it('the notes of a writer are joined where their steps are', () => {
    const short = segments.map((segment) => ({ ...segment, startMs: segment.startMs / 4, endMs: segment.endMs / 4 }))
    const drafts = [noted(['s0'], 'Unplug the machine first.'), noted(['s1', 's2', 's3'], 'Never touch the hot plate.')]
    expect(notesOf(drafts, short)).toEqual(['Unplug the machine first. Never touch the hot plate.'])
  })

  it('rest on no word that may not have been said', () => {
    const unsure = segments.map((segment, at) => (at === 0 ? { ...segment, unsure: [2] } : segment))
    expect(notesOf([noted(['s0', 's1', 's2', 's3'], 'Unplug the machine first.')], unsure)).toEqual([''])
  })

  it('the notes of a writer are none where no model writes', () => {
    expect(notesOf([makeDraft(['s0', 's1', 's2', 's3'], 'Do it')])).toEqual([''])
  })
})

describe('the steps of a single section from any answer', { tags: ['guarantee-G4', 'fault-27'] }, () => {
  it('keeps every rule of the editor', { tags: 'spec-5.7' }, () => {
    fc.assert(
      fc.property(untidy, (input) => {
        const steps = tidySteps(input)
        const titles = steps.map((step) => step.title.toLowerCase())
        expect(new Set(titles).size).toBe(titles.length)
        steps.forEach((step, index) => {
          expectLegal(step)
          expect(step.startMs).toBeGreaterThanOrEqual(steps[index - 1]?.endMs ?? 0)
          if (input.durationMs !== null && input.durationMs > 0)
            expect(step.endMs).toBeLessThanOrEqual(input.durationMs)
        })
        const ids = steps.flatMap((step) => step.segmentIds)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 400 },
    )
  })

  it('covers everything that is said in a video of five seconds or more', () => {
    fc.assert(
      fc.property(
        spokenSegments,
        fc.array(fc.record({ segmentIds: fc.array(segmentId), title: hostileText, description: hostileText })),
        (segments, drafts) => {
          const durationMs = Math.max(5_000, ...segments.map((segment) => segment.endMs + 1))
          const covered = tidySteps({ drafts, segments, durationMs }).flatMap((step) => step.segmentIds)
          const spoken = segments.filter((segment) => segment.endMs > 0 && /[^\s\p{Cc}]/u.test(segment.text))
          expect(covered.toSorted()).toEqual(spoken.map((segment) => segment.id).toSorted())
        },
      ),
    )
  })

  it('cuts at the same places when its own answer comes back', () => {
    fc.assert(
      fc.property(untidy, ({ segments, drafts, durationMs }) => {
        // Not composed: joining a short last step to the one before it may make one that has to be split.
        const once = tidySection({ segments, drafts, durationMs })
        const drafted = once.map(({ callouts: _callouts, ...step }) => step)
        const twice = tidySection({ segments, drafts: drafted, durationMs })
        expect(twice.map((step) => step.segmentIds)).toEqual(once.map((step) => step.segmentIds))
      }),
    )
  })
})

function expectLegal(step: ReturnType<typeof tidySteps>[number]): void {
  const inSeconds = { ...step, start: step.startMs / 1_000, end: step.endMs / 1_000 }
  expect(validateStep(inSeconds)).toEqual({})
  expect(step.title.length).toBeLessThanOrEqual(STEP_RULES.titleMaxChars)
  expect(step.description.length).toBeLessThanOrEqual(STEP_RULES.descriptionMaxChars)
  expect(step.notes.length).toBeLessThanOrEqual(STEP_RULES.notesMaxChars)
  expect(Number.isInteger(step.startMs) && Number.isInteger(step.endMs)).toBe(true)
  expect(step.originalText.length).toBeGreaterThan(0)
  expect(step.segmentIds.length).toBeGreaterThan(0)
}
