import type { AudioChunk } from '../audio-chunk.ts'
import { cutAudioSlice } from '../cut-audio.ts'
import type { MediaFacts } from '../read-facts.ts'
import { BlobWindow, type ByteWindow } from '../source/byte-window.ts'

/** A picked file of these bytes; each call of the result opens it from the start. */
export function pickMedia(bytes: Uint8Array): () => BlobWindow {
  const file = new Blob([bytes.slice()])
  return () => new BlobWindow(file)
}

interface CutAll {
  open: () => ByteWindow
  facts: MediaFacts
  sliceMs?: number
  chunkMs?: number
  overlapMs?: number
}

/** Cuts a whole file, slice after slice. */
export async function cutAll({ open, facts, ...lengths }: CutAll): Promise<{ chunks: AudioChunk[]; slices: number }> {
  const chunks: AudioChunk[] = []
  let slices = 0
  for (let fromMs: number | null = 0, firstChunk = 0; fromMs !== null; slices++) {
    const saveChunk = async (chunk: AudioChunk) => void chunks.push({ ...chunk, bytes: chunk.bytes.slice() })
    const end = await cutAudioSlice({ source: open(), facts, fromMs, firstChunk, saveChunk, ...lengths })
    fromMs = end.nextMs
    firstChunk = end.nextChunk
  }
  return { chunks, slices }
}

/** Decodes a `data:` URL. */
export async function bytesOf(dataUrl: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(dataUrl)).arrayBuffer())
}
