import type { FuzzEnd, MediaSeed } from '#media/testing/fuzz/fuzz-media.ts'
import { makePart, PART_TYPES, packetMsOf } from '#media/testing/make-part.ts'
import type { AudioContentType } from '#worker/ports/speech-to-text.ts'
import { halvePart } from '../halve-part.ts'

const PART_MS = 12_000

/** Whole parts of sound of each kind: browsers send them, and what a recogniser finds too large is halved. */
export function makePartSeeds(): MediaSeed[] {
  return PART_TYPES.map((contentType) => ({
    name: `a part of ${contentType}`,
    bytes: makePart(contentType, Array<number>(Math.round(PART_MS / packetMsOf(contentType))).fill(90)).audio,
    tryFile: (audio) => tryPart(audio, contentType),
  }))
}

async function tryPart(audio: Uint8Array<ArrayBuffer>, contentType: AudioContentType): Promise<FuzzEnd> {
  try {
    const halves = await halvePart({ audio, contentType })
    if (halves === null) return { name: 'left whole', fault: null }
    const odd = halves.find(({ startMs, endMs, audio: half }) => !(endMs > startMs) || half.byteLength === 0)
    const fault = odd === undefined ? null : `a half goes from ${odd.startMs} to ${odd.endMs}`
    return { name: 'halved', fault }
  } catch (error) {
    return { name: 'fault', fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
