import { BlobWindow } from '#media/blob-window.ts'
import { MediaFault, type MediaFaultCode } from '#media/media-fault.ts'
import { openMedia } from '#media/open-media.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import { isNoMedia } from './is-no-media.ts'

/** What can be told of a picked file by itself. Null: not known. */
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

/** Reads what a file is; a container that is not known here is nobody's fault. */
export async function inspectFile(file: Blob): Promise<VideoFindings> {
  if (file.size === 0) return { ...NOTHING_FOUND, fault: 'empty' }
  const first = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
  if (sniffContainer(first) === null) return { ...NOTHING_FOUND, fault: isNoMedia(first) ? 'no_media' : null }
  const source = new BlobWindow(file)
  try {
    const facts = await readMediaFacts(source)
    return { ...describe(facts), videoCodec: await readVideoCodec(source) }
  } catch (error) {
    if (error instanceof MediaFault) return { ...NOTHING_FOUND, fault: error.code }
    throw error
  }
}

function describe({ durationMs, audio, unsupportedAudio }: MediaFacts): VideoFindings {
  const hasAudio = audio !== null || unsupportedAudio !== null
  return {
    durationMs,
    hasAudio,
    audioCodec: audio?.codec ?? unsupportedAudio,
    videoCodec: null,
    fault: unsupportedAudio !== null ? 'unsupported_audio' : hasAudio ? null : 'no_audio',
  }
}

async function readVideoCodec(source: BlobWindow): Promise<string | null> {
  const track = await openMedia(source).getPrimaryVideoTrack()
  return (await track?.getCodec()) ?? null
}
