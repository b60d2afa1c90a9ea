/** Modules that questions are asked about. */
export const PLANTED = {
  tenMinutes: { id: 'bench-tutor-ten-minutes', segments: 100 },
  threeHours: { id: 'bench-tutor-three-hours', segments: 1_800 },
} as const
export type PlantedName = keyof typeof PLANTED

/** A fast hosted model: its first sentence, then one every so often. */
export const FIRST_SENTENCE_MS = 400
export const SENTENCE_EVERY_MS = 50
export const SENTENCES = 5
