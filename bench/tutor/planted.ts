/** Modules that questions are asked about. */
export const PLANTED = {
  tenMinutes: { id: 'bench-tutor-ten-minutes', segments: 100 },
  threeHours: { id: 'bench-tutor-three-hours', segments: 1_800 },
} as const
export type PlantedName = keyof typeof PLANTED

/** A fast hosted model: its first sentence, then one every so often. */
export const FIRST_SENTENCE_MS = 300
export const SENTENCE_EVERY_MS = 40
export const SENTENCES = 5
/** That a stream is at its end is an event of its own, a token later. */
export const END_AFTER_MS = 20

const QUESTION = 'where is the wrench for the wheel nuts?'
const LETTERS = [...QUESTION.matchAll(/[a-z]/g)].map(({ index }) => index)

/** The same question each time, but for its capitals, by which the model's notes about it are found. */
export function writeQuestion(number: number): string {
  const chars = QUESTION.split('')
  LETTERS.forEach((at, bit) => {
    if (number & (1 << bit)) chars[at] = (chars[at] ?? '').toUpperCase()
  })
  return chars.join('')
}

/** When the model was asked and when it said each of its sentences; epoch milliseconds. */
export interface ModelCall {
  question: string
  askedAtMs: number
  saidAtMs: number[]
}
