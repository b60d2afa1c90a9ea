/** One module of a thousand reports, the same once more for the noise, and one with a thousand times as many. */
export const MODULES = {
  few: { id: 'benchlearningfew000000', copies: 1 },
  fewToo: { id: 'benchlearningfew000001', copies: 1 },
  many: { id: 'benchlearningmany00000', copies: 1_000 },
} as const

export type PlantedName = keyof typeof MODULES

/** What is really reported for each of them. */
export const SAMPLE = { learners: 250, reportsEach: 4 } as const
export const VIDEO = { durationS: 600, steps: 20 } as const
