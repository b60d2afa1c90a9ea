import type { SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { normaliseWhisper } from '../whisper/normalise-whisper.ts'
import { runWorkersAi } from './run-workers-ai.ts'

const MODEL = '@cf/openai/whisper-large-v3-turbo'
/** Slowest short clip on record: 6 s. A call that takes a hundred times as long hangs. */
const TIMEOUT_MS = 5 * 60_000
/** `String.fromCharCode` takes its bytes as arguments, and too many overflow the stack. */
const BASE64_CHUNK_BYTES = 0x8000

function toBase64(bytes: Uint8Array & { toBase64?: () => string }): string {
  if (bytes.toBase64 !== undefined) return bytes.toBase64()
  let binary = ''
  for (let at = 0; at < bytes.length; at += BASE64_CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BASE64_CHUNK_BYTES))
  }
  return btoa(binary)
}

function makeInputs(chunk: SpeechChunk): Record<string, unknown> {
  const audio = toBase64(chunk.audio)
  // Dozens of chunks wait for their answers at once; twice the same audio in memory would be too much.
  chunk.audio.buffer.transfer(0)
  return {
    audio,
    task: 'transcribe',
    // Both keep Whisper from making text up: over silence, and in a loop that feeds on what it wrote before.
    vad_filter: true,
    condition_on_previous_text: false,
    ...(chunk.language === null ? {} : { language: chunk.language }),
    ...(chunk.prompt === null ? {} : { initial_prompt: chunk.prompt }),
  }
}

/** Speech recognition by Whisper on Workers AI. */
export function workersAiSpeech(ai: Ai): SpeechToText {
  return {
    name: `workers-ai:${MODEL}`,
    async transcribe(chunk, signal) {
      const call = { model: MODEL, inputs: makeInputs(chunk), timeoutMs: TIMEOUT_MS, signal, who: 'The speech service' }
      return normaliseWhisper(await runWorkersAi(ai, call), chunk.durationMs, chunk.prompt)
    },
  }
}
