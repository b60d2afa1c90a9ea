import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { AudioChunk } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow } from '#media/source/byte-window.ts'
import { normaliseWhisper } from '#worker/adapters/whisper/normalise-whisper.ts'
import type { TranscribedChunk } from '#worker/domain/transcript/merge-words.ts'
import type { Recogniser } from '../recogniser.ts'

interface CutRecording {
  durationMs: number
  /** None where the product cannot carry the audio's codec. */
  chunks: AudioChunk[]
}

/** Cuts the audio of a recording as the product does. @param chunkMs of every chunk; as the product plans it where left out */
export async function cutRecording(path: string, chunkMs?: number): Promise<CutRecording> {
  const file = new Blob([await readFile(path)])
  const facts = await readMediaFacts(new BlobWindow(file))
  const chunks: AudioChunk[] = []
  const saveChunk = async (chunk: AudioChunk) => {
    // The bytes are freed once a chunk is saved.
    chunks.push({ ...chunk, bytes: chunk.bytes.slice() })
  }
  const plan = chunkMs === undefined ? {} : { chunkMs }
  for (let fromMs: number | null = 0, firstChunk = 0; fromMs !== null; ) {
    const source = new BlobWindow(file)
    const end = await cutAudioSlice({ source, facts, fromMs, firstChunk, saveChunk, ...plan })
    fromMs = end.nextMs
    firstChunk = end.nextChunk
  }
  return { durationMs: facts.durationMs, chunks }
}

/** Transcribes chunks in their order, as many at once as the recogniser can. @param onChunk gets the number of each that is done */
export async function transcribeChunks(
  recogniser: Recogniser,
  chunks: readonly AudioChunk[],
  onChunk: (chunk: number) => void = () => undefined,
): Promise<TranscribedChunk[]> {
  const { signal } = new AbortController()
  const transcribed: TranscribedChunk[] = []
  await pLimit(recogniser.atOnce).map(
    chunks,
    async ({ chunk, audioStartMs, startMs, endMs, audioDurationMs, bytes }) => {
      const answer = await recogniser.transcribe({ audio: bytes, language: null, prompt: null, signal })
      const { words } = normaliseWhisper(answer, audioDurationMs)
      transcribed.push({ audioStartMs, startMs, endMs, words })
      onChunk(chunk)
    },
  )
  return transcribed
}
