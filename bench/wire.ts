/** What scenarios and `bench/worker.ts` send each other; free of everything that only Node or only workerd has. */

/** A module to seed, as `readyModule` makes it of these fields. */
export interface PlantRequest {
  module: {
    id: string
    userId: string
    durationMs: number
    title?: string
    filename?: string
    stepsVersion?: number
    hasPoster?: boolean
    sourceKey?: string
    sourceEtag?: string
    sourceSizeBytes?: number
  }
  /** Of its transcript: that many, each with words of its own; the narration once by default; 0 for no transcript. */
  sentences?: number
}

/** Learners whose reports are applied as the product applies them. */
export interface LearnersRequest {
  moduleId: string
  learners: number
  reportsEach: number
  durationS: number
}

/** One learner who watches from the beginning, and reports at these seconds of the video. */
export interface WatchedRequest {
  moduleId: string
  learner: string
  reportsS: number[]
}

/** When the tutor's model was asked and when it sent each of its sentences; epoch milliseconds. */
export interface ModelCall {
  question: string
  askedAtMs: number
  sentAtMs: number[]
}

/** Of `POST /api/bench/sql`: one statement, for the database unless the search index is named. */
export interface SqlRequest {
  sql: string
  values?: (string | number)[]
  binding?: 'DB' | 'SEARCH'
}

/** What the simulated translator was asked for in one call. */
export interface TranslateCall {
  texts: number
  words: number
}

/** Of `POST /api/bench/sweep-part`: one part of a sweep, in an invocation of its own. */
export interface SweepPartRequest {
  part: string
}

/** How far it came. */
export interface SweptPartAnswer {
  queries: number
  left: number
}
