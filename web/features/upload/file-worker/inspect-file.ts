import { BlobWindow, MediaFault } from '#media/byte-window.ts'
import { nameForeignContainer } from '#media/foreign-container.ts'
import { openMedia } from '#media/open-media.ts'
import { isNoMedia, type MediaFacts, readMediaFacts, SNIFF_BYTES, sniffContainer } from '#media/read-facts.ts'
import { findUnseenBy } from '#web/lib/picture.ts'
import { NOTHING_FOUND, type VideoFindings } from './messages.ts'

/** Reads what a picked file is, and what will keep it from becoming a training or people from watching it. */
export async function inspectFile(file: Blob): Promise<VideoFindings> {
  if (file.size === 0) return { ...NOTHING_FOUND, fault: 'empty' }
  const first = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
  if (sniffContainer(first) === null) {
    if (isNoMedia(first)) return { ...NOTHING_FOUND, fault: 'no_media' }
    return { ...NOTHING_FOUND, container: nameForeignContainer(first), fault: 'foreign_container' }
  }
  const source = new BlobWindow(file)
  try {
    const findings = describe(await readMediaFacts(source))
    return { ...findings, conversion: await findConversion(source, findings) }
  } catch (error) {
    if (error instanceof MediaFault) return { ...NOTHING_FOUND, fault: error.code }
    throw error
  }
}

function describe({ durationMs, container, audio, unsupportedAudio, ...picture }: MediaFacts): VideoFindings {
  const fault = audio === null ? 'no_audio' : null
  return {
    durationMs,
    audioCodec: audio?.codec ?? unsupportedAudio,
    container,
    videoCodec: picture.videoCodec,
    hasPicture: picture.hasVideo,
    conversion: null,
    fault: unsupportedAudio === null ? fault : 'unsupported_audio',
  }
}

async function findConversion(
  source: BlobWindow,
  { videoCodec, container }: VideoFindings,
): Promise<VideoFindings['conversion']> {
  if (videoCodec === null || findUnseenBy(videoCodec, container) === null) return null
  // Most files need no converter, so it is loaded for those that may.
  const { planConversion } = await import('../convert/convert-video.ts')
  const { canStore, hasRoomFor } = await import('../convert/converted-files.ts')
  const plan = (await canStore()) ? await planConversion(openMedia(source)) : null
  return plan && { keepsAudio: plan.audio.codec === undefined, hasRoom: await hasRoomFor(source.sizeBytes) }
}
