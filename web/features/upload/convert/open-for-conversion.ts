import { BlobSource, Input, type InputAudioTrack, MPEG_TS } from 'mediabunny'
import { openMedia } from '#media/open-media.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import { BlobWindow } from '#media/source/byte-window.ts'

/** What a video is made of that is to be converted. */
export interface PickedMedia {
  input: Input
  /** The track that is transcribed, which a player would not choose in every file; null without audio. */
  audio: InputAudioTrack | null
  /** Where the video begins in its file's own times. */
  startMs: number
}

/**
 * Opens a picked file for its conversion.
 * @param knownDurationMs by its length the track of audio is chosen; null: measured again
 */
export async function openForConversion(file: Blob, knownDurationMs: number | null): Promise<PickedMedia> {
  const first = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
  if (sniffContainer(first) === null) return openTransportStream(file)
  // Picture and audio are read side by side, up to seconds apart.
  const source = new BlobWindow(file, 2)
  return openTracks(source, await readMediaFacts(source, knownDurationMs))
}

/** The tracks of a file about which everything is known. */
export async function openTracks(source: BlobWindow, { audio, startMs }: MediaFacts): Promise<PickedMedia> {
  const input = openMedia(source)
  const chosen = (await input.getAudioTracks()).find(({ id }) => id === audio?.trackId)
  return { input, audio: chosen ?? (await input.getPrimaryAudioTrack()), startMs }
}

/** A recording of a camera or a receiver, which only becomes a training as an MP4. */
export async function openTransportStream(file: Blob): Promise<PickedMedia> {
  const input = new Input({ source: new BlobSource(file), formats: [MPEG_TS] })
  const [audio, startS] = [await input.getPrimaryAudioTrack(), await input.getFirstTimestamp()]
  return { input, audio, startMs: Math.max(0, startS * 1000) }
}
