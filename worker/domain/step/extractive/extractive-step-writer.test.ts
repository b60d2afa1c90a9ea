import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { extractiveStepWriter, writeExtractiveSteps } from './extractive-step-writer.ts'

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

function likeRecognised(segments: readonly SaidSegment[]): SaidSegment[] {
  return segments.map((segment) => ({ ...segment, text: segment.text.toLowerCase().replace(/[.,]/g, '') }))
}

function startsOf(segments: readonly SaidSegment[]): string[] {
  return writeExtractiveSteps(segments, '').map((draft) => draft.segmentIds[0] ?? '')
}

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
    const titles = writeExtractiveSteps(segments, '').map((draft) => draft.title)
    expect(titles).toEqual([
      'Prepare an order for a regular buyer',
      'Create a customer record',
      'Print the invoice',
      'Archive the papers',
    ])
  })

  it('names a talk by its topics', () => {
    const talk = Array.from({ length: 12 }, () => 'The orbit of the comet was a long ellipse around the sun.')
    expect(writeExtractiveSteps(speak(talk), 'Comets')[0]?.title).toMatch(/comet/i)
  })

  it('answers an aborted call with the reason', async () => {
    const window = { moduleTitle: '', language: null, glossary: null, segments }
    await expect(extractiveStepWriter.writeSteps(window, AbortSignal.abort())).rejects.toThrow(/abort/i)
  })

  it('has nothing to say about silence', () => {
    expect(writeExtractiveSteps([], '')).toEqual([])
  })

  it('puts every segment into exactly one step, in order', () => {
    const piece = fc.record({ lengthMs: fc.integer({ min: 0, max: 15_000 }), text: fc.oneof(fc.lorem(), fc.string()) })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 80 }), (pieces) => {
        let endMs = 0
        const said = pieces.map(({ lengthMs, text }, index) => {
          const startMs = endMs
          endMs += lengthMs
          return { id: `s${index}`, startMs, endMs, text: `${text} so` }
        })
        const ids = writeExtractiveSteps(said, '').flatMap((draft) => draft.segmentIds)
        expect(ids).toEqual(said.map((segment) => segment.id))
      }),
      { numRuns: 60 },
    )
  })
})
