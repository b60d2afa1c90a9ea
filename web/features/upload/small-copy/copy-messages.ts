import type { Cuts } from '#contract/time/visible-time.ts'

/** What a web worker is to make a small copy of. */
export interface CopyOrder {
  /** A picked file, or the address of a stored video. */
  video: Blob | string
  /** What of the video is left out of its copy; empty where all of it is copied. */
  cuts: Cuts
  /** Where steps begin, in milliseconds: each gets a frame that can be jumped to. */
  stepStartsMs: readonly number[]
  /** The track of audio that the transcript is of; null where that is not known, or there is but one. */
  audioTrackId: number | null
  /** Folder and name of the copy in the browser's own storage, as long as it is made. */
  folder: string
  name: string
}

export type ToCopyWorker = { order: CopyOrder } | { isPaused: boolean }

/** A copy as it is to be sent: its index first. `null`: it would save too little. */
export type MadeCopy = { file: Blob; codec: string } | null

export type FromCopyWorker =
  /** 0 to 100. */
  { percent: number } | { made: MadeCopy } | { failed: string }
