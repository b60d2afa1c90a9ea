import { type AudioChunk, type AudioContentType, findAudioFormat } from '#media/audio-chunk.ts'
import { BlobWindow } from '#media/byte-window.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'

/** What is known of a video's audio before it has been cut. */
export interface AudioFacts {
  /** Length of the whole video. */
  durationMs: number
  /** Of every chunk. */
  contentType: AudioContentType
}

type Bring = (answer: { facts: AudioFacts } | { chunk: AudioChunk }, transfer?: Transferable[]) => Promise<void>

export interface AudioOrder {
  file: Blob
  /** Where it is known, a recording without a stated length is not read through again to find it out. */
  knownDurationMs: number | null
}

/** Cuts a picked video's audio into the very chunks that the server would cut. Brings nothing where there is none. */
export async function cutAudio({ file, knownDurationMs }: AudioOrder, bring: Bring): Promise<void> {
  const source = new BlobWindow(file)
  const facts = await readMediaFacts(source, knownDurationMs)
  const format = findAudioFormat(facts.audio?.codec ?? null)
  if (format === null) return
  await bring({ facts: { durationMs: facts.durationMs, contentType: format.contentType } })
  const saveChunk = (chunk: AudioChunk) => bring({ chunk }, [chunk.bytes.buffer])
  // A browser has no memory limit of 128 MB, and a second slice would read the index again.
  await cutAudioSlice({ source, facts, fromMs: 0, firstChunk: 0, saveChunk, sliceMs: Number.POSITIVE_INFINITY })
}
