import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SaidSegment, StepWindow } from '#worker/ports/language-model.ts'
import { likeRecognised } from '../testing/like-recognised.ts'
import { extractiveStepWriter, rateSegments, writeExtractiveSteps } from './extractive-step-writer.ts'

const CHAPTERS = [
  [
    'Welcome to this video about the front desk of a small shop.',
    'In this video we will prepare an order for a regular buyer.',
    'The front desk shows everything that happens on one day.',
    'It was made for shops with one or two people.',
  ],
  [
    'First, let us create a customer record.',
    'The customer record holds the name of the customer and the address.',
    'It also holds the phone number of the customer.',
    'Save the customer record with the green button.',
  ],
  [
    'Now we are going to print the invoice.',
    'The invoice template comes from the printer menu.',
    'The invoice template has a logo at the top.',
    'Check that the printer has enough paper for the invoice.',
  ],
  [
    'Next, to archive the papers, open the archive.',
    'The archive folder keeps papers for ten years.',
    'The archive folder is sorted by year.',
    'It is never too late to clear the archive of old years.',
  ],
]

/** A sentence every five seconds, with a breath of half a second between them. */
function speak(sentences: readonly string[]): SaidSegment[] {
  return sentences.map((text, index) => ({
    id: `s${index}`,
    startMs: index * 5_000,
    endMs: index * 5_000 + 4_500,
    text,
  }))
}

/** A recording that is one section. */
function whole(segments: readonly SaidSegment[], moduleTitle = ''): StepWindow {
  const durationMs = segments.at(-1)?.endMs ?? null
  return { moduleTitle, durationMs, language: null, glossary: null, before: [], segments: [...segments] }
}

/** The section of a recording from one segment on. */
function sectionOf(segments: readonly SaidSegment[], from: number, to: number): StepWindow {
  const durationMs = segments.at(-1)?.endMs ?? 0
  return { ...whole(segments.slice(from, to)), durationMs, before: segments.slice(0, from) }
}

function startsOf(segments: readonly SaidSegment[]): string[] {
  return writeExtractiveSteps(whole(segments)).map((draft) => draft.segmentIds[0] ?? '')
}

describe('a pause of more than 20 s', () => {
  const said = speak(CHAPTERS.flat()).map((segment, index) => {
    return index < 6 ? segment : { ...segment, startMs: segment.startMs + 60_000, endMs: segment.endMs + 60_000 }
  })

  it('ends a step, whatever is said after it', () => {
    expect(startsOf(said)).toContain('s6')
    expect(startsOf(speak(CHAPTERS.flat()))).not.toContain('s6')
  })

  it('is found again from the section after it, which continues the step that has begun there', () => {
    const [first] = writeExtractiveSteps(sectionOf(said, 7, 12))
    expect(first).toMatchObject({ continues: true })
    expect(first?.segmentIds[0]).toBe('s7')
    expect(writeExtractiveSteps(sectionOf(said, 6, 12))[0]?.continues).toBeUndefined()
  })
})

describe('extractiveStepWriter', () => {
  const segments = speak(CHAPTERS.flat())

  it('cuts a short how-to where its topics change', () => {
    expect(startsOf(segments)).toEqual(['s0', 's4', 's8', 's12'])
  })

  it('finds most of the same cuts without punctuation and capitals', () => {
    const found = startsOf(likeRecognised(segments)).filter((id) => ['s4', 's8', 's12'].includes(id))
    expect(found.length).toBeGreaterThanOrEqual(2)
  })

  it('names steps by what they do', () => {
    const titles = writeExtractiveSteps(whole(segments)).map((draft) => draft.title)
    expect(titles).toEqual([
      'Prepare an order for a regular buyer',
      'Create a customer record',
      'Print the invoice',
      'Archive the papers',
    ])
  })

  it('names a talk by its topics', () => {
    const talk = Array.from({ length: 12 }, () => 'The orbit of the comet was a long ellipse around the sun.')
    expect(writeExtractiveSteps(whole(speak(talk), 'Comets'))[0]?.title).toMatch(/comet/i)
  })

  it('answers an aborted call with the reason', async () => {
    await expect(extractiveStepWriter.writeSteps(whole(segments), AbortSignal.abort())).rejects.toThrow(/abort/i)
  })

  it('has nothing to say about silence', () => {
    expect(writeExtractiveSteps(whole([]))).toEqual([])
  })

  it('says of a section whether it begins in the middle of a step', () => {
    const isContinuing = [8, 11, 12, 15].map(
      (from) => writeExtractiveSteps(sectionOf(segments, from, 16))[0]?.continues,
    )
    expect(isContinuing).toEqual([undefined, true, undefined, true])
  })

  it('divides a section by the transcript before it', () => {
    const drafts = writeExtractiveSteps(sectionOf(segments, 11, 16))
    expect(drafts.map((draft) => draft.segmentIds[0])).toEqual(['s11', 's12'])
  })

  it('leaves a step that begins in the last seconds of a section to the next one', () => {
    const talk = speak(CHAPTERS.flat().map((text) => text.replace(/^(?:First|Now|Next),? /, '')))
    const [before, after] = [sectionOf(talk, 0, 9), sectionOf(talk, 9, 16)].map((window) =>
      writeExtractiveSteps(window),
    )
    expect(before?.map((draft) => draft.segmentIds[0])).toEqual(['s0', 's4'])
    expect(after?.[0]?.segmentIds.slice(0, 2)).toEqual(['s8', 's9'])
  })

  it('names a continued step by its whole transcript', () => {
    const [first] = writeExtractiveSteps(sectionOf(segments, 11, 16))
    expect(first).toMatchObject({ segmentIds: ['s11'], continues: true, namesWhole: true, title: 'Print the invoice' })
  })

  it('writes the steps of a section in the third hour', () => {
    const words = CHAPTERS.flat().flatMap((text) => text.split(' '))
    const texts = Array.from({ length: 390 }, (_, i) =>
      Array.from({ length: 12 }, (__, j) => words[(i * 7 + j * j + i * j) % words.length]).join(' '),
    )
    const drafts = writeExtractiveSteps({ ...sectionOf(speak(texts), 360, 390), durationMs: 10_800_000 })
    expect(drafts.flatMap(({ segmentIds }) => segmentIds)).toHaveLength(30)
  })

  it('puts every segment of a section into exactly one step, in order', () => {
    const piece = fc.record({ lengthMs: fc.integer({ min: 0, max: 15_000 }), text: fc.oneof(fc.lorem(), fc.string()) })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 80 }), fc.nat(), fc.nat(), (pieces, one, other) => {
        let endMs = 0
        const said = pieces.map(({ lengthMs, text }, index) => {
          const startMs = endMs
          endMs += lengthMs
          return { id: `s${index}`, startMs, endMs, text: `${text} so` }
        })
        const [from, to] = [one % said.length, other % said.length].toSorted((left, right) => left - right)
        const window = sectionOf(said, from as number, (to as number) + 1)
        const ids = writeExtractiveSteps(window).flatMap((draft) => draft.segmentIds)
        const sentences = [...window.before, ...window.segments].map((segment) => segment.id)
        expect(ids.length).toBeGreaterThanOrEqual(window.segments.length)
        expect(ids).toEqual(sentences.slice(-ids.length))
      }),
      { numRuns: 100 },
    )
  })
})

describe('rateSegments', () => {
  const rate = (texts: string[]) =>
    rateSegments(
      texts.map((text, index) => ({ id: `s${index}`, startMs: index * 6_000, endMs: index * 6_000 + 5_500, text })),
      { durationMs: null, language: 'en' },
    )

  it('rates a new topic above what goes on, and a sentence that goes on lowest', () => {
    const odds = rate([
      'The old pump is a part of the boiler and moves the water through it.',
      'It is made of brass and was built a long time ago.',
      'So this is all that there is to know of the pump.',
      'Now let us look at the second topic, which is',
      'the burner and its flame.',
      'The burner has a flame that heats the boiler from below.',
    ])
    expect(odds[4]).toBe(Number.NEGATIVE_INFINITY)
    expect(odds[3]).toBeGreaterThan(odds[1] ?? 0)
    expect(odds[3]).toBeGreaterThan(odds[5] ?? 0)
  })

  it('says nothing of a list of clicks', () => {
    const clicks = ['Open the menu.', 'Click File.', 'Choose Print.', 'Press OK.', 'Close the window.', 'Click Save.']
    expect(rate(clicks)).toEqual(clicks.map(() => 0))
  })

  it('rates nothing where nothing is said', () => {
    expect(rate([])).toEqual([])
  })
})
