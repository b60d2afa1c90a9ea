import type { AudioPart } from '../audio-part.ts'
import { BlobWindow } from '../blob-window.ts'
import type { ByteWindow } from '../byte-window.ts'
import { cutAudioSlice } from '../cut-audio.ts'
import type { MediaFacts } from '../read-facts.ts'

/** A picked file of these bytes; each call of the result opens it from the start. */
export function pickMedia(bytes: Uint8Array): () => BlobWindow {
  const file = new Blob([bytes.slice()])
  return () => new BlobWindow(file)
}

interface CutAll {
  open: () => ByteWindow
  facts: MediaFacts
  sliceMs?: number
  partMs?: number
  overlapMs?: number
}

/** Cuts a whole file, slice after slice. */
export async function cutAll({ open, facts, ...lengths }: CutAll): Promise<{ parts: AudioPart[]; slices: number }> {
  const parts: AudioPart[] = []
  let slices = 0
  for (let fromMs: number | null = 0, firstPart = 0; fromMs !== null; slices++) {
    const savePart = async (part: AudioPart) => void parts.push({ ...part, bytes: part.bytes.slice() })
    const end = await cutAudioSlice({ source: open(), facts, fromMs, firstPart, savePart, ...lengths })
    fromMs = end.nextMs
    firstPart = end.nextPart
  }
  return { parts, slices }
}

/** Decodes a `data:` URL. */
export async function bytesOf(dataUrl: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(dataUrl)).arrayBuffer())
}
