import type { ScreenReading } from '#contract/screen.ts'

/** What a web worker is to read. */
export interface ScreenOrder {
  /** A picked file, or the address of a stored video. */
  video: Blob | string
  /** Where reading begins, in milliseconds. */
  fromMs: number
  /** Names of the engine's data. */
  languages: string[]
}

export type ToScreenWorker = { order: ScreenOrder } | { isPaused: boolean }

export type FromScreenWorker =
  /** 0 to 100. */
  | { percent: number }
  /** What a part of the video shows, in order; the last one is done. */
  | { reading: ScreenReading }
  | { failed: string }
