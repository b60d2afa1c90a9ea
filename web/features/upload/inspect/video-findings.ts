import type { MediaFaultCode } from '#media/media-fault.ts'

/** What can be read from a picked file alone. Null: not known. */
export interface VideoFindings {
  durationMs: number | null
  hasAudio: boolean | null
  /** `aac`, `opus`, …; in capitals where Adapt cannot carry it. */
  audioCodec: string | null
  /** `avc`, `vp9`, … */
  videoCodec: string | null
  /** What is wrong, the first thing that matters. */
  fault: VideoFault | null
}

export type VideoFault = 'empty' | 'no_media' | MediaFaultCode | 'no_audio' | 'unsupported_audio'

export const NOTHING_FOUND: VideoFindings = {
  durationMs: null,
  hasAudio: null,
  audioCodec: null,
  videoCodec: null,
  fault: null,
}
