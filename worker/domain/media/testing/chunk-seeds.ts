import type { FuzzEnd, MediaSeed } from '#media/testing/fuzz/fuzz-media.ts'
import { CHUNK_TYPES, makeChunk, packetMsOf } from '#media/testing/make-chunk.ts'
import { halveChunk } from '#worker/domain/media/read-chunk.ts'
import type { AudioContentType } from '#worker/ports/speech-to-text.ts'

const CHUNK_MS = 12_000

/** Whole chunks of audio of each kind: browsers send them, and what a recogniser finds too large is halved. */
export function makeChunkSeeds(): MediaSeed[] {
  return CHUNK_TYPES.map((contentType) => ({
    name: `a part of ${contentType}`,
    bytes: makeChunk(contentType, Array<number>(Math.round(CHUNK_MS / packetMsOf(contentType))).fill(90)).audio,
    tryFile: (audio) => tryChunk(audio, contentType),
  }))
}

async function tryChunk(audio: Uint8Array<ArrayBuffer>, contentType: AudioContentType): Promise<FuzzEnd> {
  try {
    const halves = await halveChunk({ audio, contentType })
    if (halves === null) return { name: 'left whole', fault: null }
    const odd = halves.find(({ startMs, endMs, audio: half }) => !(endMs > startMs) || half.byteLength === 0)
    const fault = odd === undefined ? null : `a half goes from ${odd.startMs} to ${odd.endMs}`
    return { name: 'halved', fault }
  } catch (error) {
    return { name: 'fault', fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
