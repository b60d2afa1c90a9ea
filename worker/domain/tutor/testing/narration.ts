import type { FormedSegment } from '#worker/db/schema.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { openIndex, type TutorIndex, type TutorStep } from '../open-index.ts'

/** How long each sentence takes. */
const SENTENCE_MS = 6_000

/** What a trainer says about changing a tyre, six seconds a sentence. */
export const NARRATION = [
  'Today we are going to change the tyre of a car, and nothing here needs a workshop.',
  'First park the car on level ground and pull the handbrake.',
  'Put a wedge behind the wheel so that the car cannot roll away.',
  'The wrench for the wheel nuts is under the carpet of the boot.',
  'Loosen the nuts by half a turn while the wheel is still on the ground.',
  'Do not take them off yet, because the wheel would fall on your foot.',
  'Now put the jack under the frame, right behind the front wheel.',
  'Lift the car until the tyre is about 5 centimetres above the ground.',
  'Then take off the nuts and pull the old wheel towards you.',
  'Hang the spare wheel on the bolts and tighten the nuts by hand.',
  'Let the car down and tighten the nuts with the wrench, to 120 newton metres.',
  'My colleague Maria Fuentes always checks the pressure afterwards.',
  'A spare wheel needs 4 bar, which is far more than a normal tyre.',
  'Drive at most 80 kilometres an hour until a garage has repaired the tyre.',
  'That is it, thank you for watching and have a safe trip.',
]

/** The same as segments with ids `s0`, `s1`, … */
export function sayAll(texts: readonly string[]): SaidSegment[] {
  return saySegments(texts).map(({ startMs, endMs, text }, index) => ({ id: `s${index}`, startMs, endMs, text }))
}

/** The same as it is stored, before anything has an id. */
export function saySegments(texts: readonly string[]): FormedSegment[] {
  return texts.map((text, at) => ({ startMs: at * SENTENCE_MS, endMs: (at + 1) * SENTENCE_MS, text, confidence: null }))
}

/** Steps of {@link NARRATION}. */
export const STEPS: TutorStep[] = [
  {
    id: 'a',
    title: 'Secure the car',
    description: 'Park on level ground and use a wedge.',
    start: 6,
    end: 18,
    aliases: [],
  },
  { id: 'b', title: 'Loosen the nuts', description: 'Half a turn with the wrench.', start: 18, end: 36, aliases: [] },
  {
    id: 'c',
    title: 'Lift the car',
    description: 'Put the jack under the frame.',
    start: 36,
    end: 54,
    aliases: ['jack'],
  },
  { id: 'd', title: 'Mount the spare wheel', description: 'Tighten the nuts.', start: 54, end: 90, aliases: [] },
]

/** An index of the narration, with {@link STEPS} unless other steps are given. */
export function indexOf(texts: readonly string[] = NARRATION, steps: readonly TutorStep[] = STEPS): TutorIndex {
  return openIndex({ segments: sayAll(texts), steps })
}
