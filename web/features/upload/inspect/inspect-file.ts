import { BlobWindow } from '#media/blob-window.ts'
import { MediaFault } from '#media/media-fault.ts'
import { openMedia } from '#media/open-media.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import { isNoMedia } from './is-no-media.ts'
import { NOTHING_FOUND, type VideoFindings } from './video-findings.ts'

/** Reads the type of a file; an unknown container is not an error. */
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
