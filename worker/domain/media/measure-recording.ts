import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny'
import { readAudioKind } from '#media/open-audio.ts'
import { measurePacketMs } from '#media/packet-duration.ts'
import { openChunk, type ReadableChunk } from './read-chunk.ts'

/** The shortest packet of any codec that browsers record; one that claims less still costs a look. */
const SHORTEST_PACKET_MS = 2.5

/**
 * Measures a recording by its packets, because the header of a file may declare less than a recogniser transcribes. Of
 * several tracks the longest counts. Stops reading at the limit.
 * @returns more than `limitMs` where it is longer; null where there is no audio in it that can be measured
 */
export async function measureRecording(recording: ReadableChunk, limitMs: number): Promise<number | null> {
  using input = openChunk(recording)
  // The recording comes from a client: a retry would not repair a damaged file.
  return await measureTracks(input, limitMs).catch(() => null)
}

async function measureTracks(input: Input, limitMs: number): Promise<number | null> {
  if (!(await input.canRead())) return null
  let longestMs = 0
  for (const track of await input.getAudioTracks()) {
    const measuredMs = await measureTrack(track, limitMs)
    if (measuredMs === null) return null
    longestMs = Math.max(longestMs, measuredMs)
  }
  return longestMs === 0 ? null : longestMs
}

async function measureTrack(track: InputAudioTrack, limitMs: number): Promise<number | null> {
  const kind = await readAudioKind(track)
  if (kind === null) return null
  let audioDurationsMs = 0
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    const packetMs = measurePacketMs(kind.config, data)
    if (packetMs === null) return null
    audioDurationsMs += Math.max(packetMs, SHORTEST_PACKET_MS)
    if (audioDurationsMs > limitMs) break
  }
  return audioDurationsMs
}
