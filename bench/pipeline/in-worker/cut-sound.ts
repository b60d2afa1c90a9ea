import type { AudioPart } from '#media/audio-part.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'

interface Cutting {
  bucket: R2Bucket
  video: string
  savePart: (part: AudioPart) => Promise<void>
  /** How the parts are to be made where it is not as the product makes them. */
  made?: { partMs: number; overlapMs: number }
}

/** Cuts the sound of a whole video, one slice after the other, with nothing around it. @returns the video's length */
export async function cutSound({ bucket, video, savePart, made }: Cutting): Promise<{ durationMs: number }> {
  const head = await bucket.head(video)
  if (head === null) throw new Error(`${video} is not stored`)
  const source = new R2Window({ bucket, key: video, etag: head.etag, sizeBytes: head.size })
  const facts = await readMediaFacts(source)
  for (let fromMs: number | null = 0, firstPart = 0; fromMs !== null; ) {
    const end = await cutAudioSlice({ source, facts, fromMs, firstPart, savePart, ...made })
    fromMs = end.nextMs
    firstPart = end.nextPart
  }
  return facts
}
