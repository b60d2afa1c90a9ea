import type { AudioPart } from '../audio-part.ts'
import { cutAudioSlice } from '../cut-audio.ts'
import { R2Window } from '../r2-window.ts'
import type { MediaFacts } from '../read-facts.ts'

/** Puts bytes into the real bucket; each call of the answer opens them anew, as each message of the queue does. */
export async function store(bucket: R2Bucket, bytes: Uint8Array): Promise<() => R2Window> {
  const key = `media-test/${crypto.randomUUID()}`
  const etag = await putObject(bucket, key, bytes)
  return () => new R2Window({ bucket, key, etag, sizeBytes: bytes.byteLength })
}

/** Puts an object and answers its ETag. */
export async function putObject(bucket: R2Bucket, key: string, content: Uint8Array | string): Promise<string> {
  const object = await bucket.put(key, content)
  if (object === null) throw new Error(`${key} was not stored`)
  return object.etag
}

interface CutAll {
  open: () => R2Window
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
