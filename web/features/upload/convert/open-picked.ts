import { BlobSource, Input, type InputAudioTrack, MPEG_TS } from 'mediabunny'
import { BlobWindow } from '#media/byte-window.ts'
import { openMedia } from '#media/open-media.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'

/** What a video is made of that is to be converted. */
export interface PickedMedia {
  input: Input
  /** The track that is transcribed, which a player would not choose in every file; null without audio. */
  audio: InputAudioTrack | null
  /** Where the video begins in its file's own times. */
  startMs: number
}

/** Opens a picked file, also a transport stream of a camera or a receiver, which only becomes a training as an MP4. */
export async function openPicked(file: Blob): Promise<PickedMedia> {
  const first = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
  if (sniffContainer(first) === null) return openTransportStream(file)
  // Picture and audio are read side by side, up to seconds apart.
  const source = new BlobWindow(file, 2)
  const input = openMedia(source)
  const facts = await readMediaFacts(source, 0)
  const tracks = await input.getAudioTracks()
  const chosen = tracks.find(({ id }) => id === facts.audio?.trackId)
  return { input, audio: chosen ?? (await input.getPrimaryAudioTrack()), startMs: facts.startMs }
}

async function openTransportStream(file: Blob): Promise<PickedMedia> {
  const input = new Input({ source: new BlobSource(file), formats: [MPEG_TS] })
  const [audio, startS] = [await input.getPrimaryAudioTrack(), await input.getFirstTimestamp()]
  return { input, audio, startMs: Math.max(0, startS * 1000) }
}
