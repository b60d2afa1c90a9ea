/** What the numbers are measured with. */
export const CONDITIONS = {
  runs: 5,
  /** A phone of the middle of the market beside a desktop, as Lighthouse has it for mobiles. */
  cpuSlowdown: 4,
  /** "Fast 4G" of Chromium's developer tools: nine tenths of 9 and 1.5 Mbit/s, and 165 ms for each request. */
  downMbit: 8.1,
  upMbit: 1.35,
  latencyMs: 165,
  /** Of the list that is typed at. */
  typedModules: 1_000,
  fewModules: 10,
  manyModules: 10_000,
  /** Pairs of calls, one to each list, one after the other. */
  callPairs: 100,
} as const

/** How far a figure may go. */
export const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  apiRatio: 1.5,
} as const

/** What Core Web Vitals call good; for comparison. */
export const GOOD = { lcpMs: 2_500, interactionMs: 200 } as const
