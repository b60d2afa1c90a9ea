import type { AudioChunk, AudioContentType } from '#media/audio-chunk.ts'
import type { StepSpan } from '#media/choose-frame.ts'
import type { MediaFaultCode } from '#media/source/byte-window.ts'
import type { StepImages } from '#web/lib/step-images.ts'
import type { ConvertOrder, ConvertProgress } from '../convert/convert-video.ts'

/** What the page can have done with a picked file away from its main thread. */
export type FileTask =
  | { kind: 'inspect'; file: Blob }
  | ({ kind: 'audio' } & AudioOrder)
  | ({ kind: 'images' } & ImageOrder)
  | { kind: 'step-images'; file: Blob; spans: StepSpan[] }
  | { kind: 'scenes'; file: Blob }
  | ({ kind: 'convert' } & ConvertOrder)

/** What each task brings, one after the other. */
export interface FileAnswers {
  inspect: VideoFindings
  /** First the facts, then the chunks. */
  audio: { facts: AudioFacts } | { chunk: AudioChunk }
  images: DrawnImage
  'step-images': DrawnStep
  scenes: { startsMs: number[] }
  convert: ConvertProgress
}

/** From the page: a task at first, then a note for each answer that has been taken. */
export type ToWorker = { task: FileTask } | { taken: true }

export type FromWorker<Answer> = { answer: Answer } | { done: true } | { failed: Failure }

/** What an error keeps on its way to the page. */
type Failure = Pick<Error, 'name' | 'message'>

/** Unread answers at which the task pauses. Four audio chunks are 2 MB. */
export const MAX_WAITING = 4

/** What can be read from a picked file alone. Null: not known. */
export interface VideoFindings {
  durationMs: number | null
  /** `aac`, `opus`, …; in capitals where Adapt cannot carry it. */
  audioCodec: string | null
  /** The type that its first bytes show, such as `video/mp4`; the name of a container that Adapt cannot open. */
  container: string | null
  /** Codec string of its picture, or what its container calls it. */
  videoCodec: string | null
  /** Whether it has a picture at all. */
  hasPicture: boolean | null
  /** How this browser makes a video of it that everybody can watch; null where it cannot, or all can watch it. */
  conversion: { keepsAudio: boolean; hasRoom: boolean } | null
  /** What is wrong, the first thing that matters. */
  fault: VideoFault | null
}

export type VideoFault = 'empty' | 'no_media' | 'foreign_container' | MediaFaultCode | 'no_audio' | 'unsupported_audio'

export const NOTHING_FOUND: VideoFindings = {
  durationMs: null,
  audioCodec: null,
  container: null,
  videoCodec: null,
  hasPicture: null,
  conversion: null,
  fault: null,
}

export interface AudioOrder {
  file: Blob
  /** Where it is known, a recording without a stated length is not read through again to find it out. */
  knownDurationMs: number | null
}

/** What is known of a video's audio before it has been cut. */
export interface AudioFacts {
  /** When the file's own times begin. */
  startMs: number
  /** Length of the whole video. */
  durationMs: number
  /** Of every chunk. */
  contentType: AudioContentType
}

export interface ImageOrder {
  file: Blob
  timesMs: number[]
  maxWidthPx: number
}

export interface DrawnImage {
  timeMs: number
  blob: Blob
}

export interface DrawnStep extends StepImages {
  startMs: number
}
