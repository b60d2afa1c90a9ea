import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { chooseCuts } from '#worker/domain/step/extractive/choose-cuts.ts'
import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import { keepSpeakableAround } from '#worker/domain/step/extractive/speakable.ts'
import { planSections, WINDOW_AFTER_SEGMENTS } from '#worker/domain/step/plan-sections.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { writePressCaptions } from '#worker/domain/transcript/testing/press-captions.ts'

/**
 * What a step takes on average: a logarithm, or a phrase that is looked for in a sentence. `bench:abuse` measures the same
 * captions, and fails where they take longer.
 */
export const CPU_NS_PER_STEP = 40
/** Phrases and windows that each sentence is read for. */
const STEPS_PER_SENTENCE = 250
/** A section is written, and tidied. */
const READS_PER_SECTION = 2

/**
 * Counts the steps for the most captions that are accepted, in all their sections: from the sentences that are read for a
 * section in the middle and the pairs of them that are compared.
 */
export function countStepsOfWorstRun(): number {
  const formed = segmentsFromCues(parseCaptions(writePressCaptions(CAPTIONS_MAX_BYTES)).cues)
  const segments = formed.map((segment, at) => ({ ...segment, id: `c-${at}` }))
  const middle = Math.floor(segments.length / 2)
  const before = segments.slice(0, middle)
  const after = segments.slice(middle, middle + WINDOW_AFTER_SEGMENTS)
  const sentences = readSentences(keepSpeakableAround(before, [], after))
  let steps = READS_PER_SECTION * STEPS_PER_SENTENCE * sentences.length
  const startsMs = sentences.map(({ startMs }) => startMs)
  const plan = { startsMs, scores: startsMs.map(() => 0), endMs: segments.at(-1)?.endMs ?? 0 }
  chooseCuts({ ...plan, usualMs: 60_000, isOpen: false, isComparable: true }, (pairs) => {
    steps += pairs
  })
  return planSections(segments).length * steps
}
