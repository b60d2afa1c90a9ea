/** How much the pipeline may do side by side; the floor is computed from it. */
export interface Allowed {
  /** Calls of the recogniser in flight. */
  speechCalls: number
  /** Calls of the language model in flight. */
  languageCalls: number
  /** Seconds of narration that are written in one call: the first stretches of a video, then the last number on and on. */
  stretchesS: readonly [number, ...number[]]
}

export const ALLOWED: Allowed = { speechCalls: 60, languageCalls: 30, stretchesS: [30, 60, 120, 150] }
