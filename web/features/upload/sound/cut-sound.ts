import { type AudioContentType, findAudioFormat } from '#media/audio-formats.ts'
import type { AudioPart } from '#media/audio-part.ts'
import { BlobWindow } from '#media/blob-window.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { estimatePartCount } from '#media/part-plan.ts'
import { readMediaFacts } from '#media/read-facts.ts'

/** What is known of a video's sound before it has been cut. */
export interface SoundFacts {
  /** Length of the whole video. */
  durationMs: number
  /** Of every part. */
  contentType: AudioContentType
  estimatedParts: number
}

type Bring = (answer: { facts: SoundFacts } | { part: AudioPart }, transfer?: Transferable[]) => Promise<void>

export interface SoundOrder {
  file: Blob
  /** Where it is known, a recording without a stated length is not read through again to find it out. */
  knownDurationMs: number | null
}

/** Cuts a picked video's sound into the very parts that the server would cut. Brings nothing where there is none. */
export async function cutSound({ file, knownDurationMs }: SoundOrder, bring: Bring): Promise<void> {
  const source = new BlobWindow(file)
  const facts = await readMediaFacts(source, knownDurationMs)
  const format = findAudioFormat(facts.audio?.codec ?? null)
  if (format === null) return
  const { durationMs } = facts
  await bring({ facts: { durationMs, contentType: format.contentType, estimatedParts: estimatePartCount(durationMs) } })
  const savePart = (part: AudioPart) => bring({ part }, [part.bytes.buffer])
  // A browser has no memory limit of 128 MB, and a second slice would read the index again.
  await cutAudioSlice({ source, facts, fromMs: 0, firstPart: 0, savePart, sliceMs: Number.POSITIVE_INFINITY })
}
