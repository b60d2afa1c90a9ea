import type { ProfileName } from './profiles.ts'

/** What the bench's workers answer to the bench. */

/** How the sound of a run comes to be cut: by our own reader in ingest, or in the browser during the upload. */
export type Way = 'server' | 'client'

export interface RunRequest {
  video: string
  way: Way
  profile: ProfileName
}

/** How long the least that a pipeline can do took, beside the same models. */
export interface FloorTimes {
  firstStepMs: number
  readyMs: number
}

/** How much the pipeline may do side by side; the floor is computed from it. */
export interface Allowed {
  /** Calls of the recogniser in flight. */
  speechCalls: number
  /** Calls of the language model in flight. */
  languageCalls: number
  /** Seconds of narration that are written in one call: the first stretches of a video, then the last number on and on. */
  stretchesS: readonly [number, ...number[]]
}

/** One part of a video's sound. */
export interface CutPart {
  startMs: number
  endMs: number
  /** Length of what the recogniser is given, overlap included. */
  audioMs: number
  /** When cutting had come to the end of this part, counted from its beginning. */
  cutAtMs: number
}

/** How far a run has come. */
export interface Standing {
  status: string
  error: string | null
  stepCount: number
}

/** Calls of one simulated model. */
export interface CallMeter {
  inFlight: number
  mostInFlight: number
}

/** What happened in the worker since the run was prepared. */
export interface Tally {
  d1: { statements: number; rowsRead: number; rowsWritten: number }
  r2Operations: number
  queueMessages: number
  speechCalls: CallMeter
  languageCalls: CallMeter
  speechJobs: { part: number; durationMs: number }[]
  /** When the job of each stretch was done for the first time, by number, counted from the start of the run. */
  writtenAtMs: Record<number, number>
  /** Whatever was logged as a warning or an error: such a run measures something else. */
  complaints: string[]
}

/** One run of the pipeline as it is usually built. */
export interface SerialStanding {
  run: number
  stage: string
  startedAt: number
  readyAt: number | null
  stepCount: number
}
