import type { AudioContentType, SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { normaliseWhisper } from '../whisper/normalise-whisper.ts'
import { callOpenAi, type OpenAiServer, RefusedForm } from './call-open-ai.ts'

interface OpenAiSpeechOptions extends OpenAiServer {
  /** How long one chunk may take. */
  timeoutMs?: number
}

/** A server on a plain CPU transcribes a part of 90 s in up to three times its length. */
const TIMEOUT_MS = 5 * 60_000
/** Servers recognise the container by the file name, not by the content type. */
const EXTENSIONS = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
} as const satisfies Record<AudioContentType, string>
/** Words about the form of the answer: models that write no times refuse `verbose_json`. */
const REFUSES_TIMES = /response_format|verbose_json|timestamp_granularities/i

type AnswerFormat = 'verbose_json' | 'json'

function makeForm(chunk: SpeechChunk, model: string, format: AnswerFormat): FormData {
  const form = new FormData()
  const file = new Blob([chunk.audio], { type: chunk.contentType })
  form.append('file', file, `chunk.${EXTENSIONS[chunk.contentType]}`)
  form.append('model', model)
  form.append('response_format', format)
  if (format === 'verbose_json') {
    form.append('timestamp_granularities[]', 'word')
    form.append('timestamp_granularities[]', 'segment')
  }
  if (chunk.language !== null) form.append('language', chunk.language)
  if (chunk.prompt !== null) form.append('prompt', chunk.prompt)
  return form
}

/** Speech recognition by any server that has OpenAI's `/audio/transcriptions`. */
export function openAiSpeech({ timeoutMs = TIMEOUT_MS, ...server }: OpenAiSpeechOptions): SpeechToText {
  const ask = (chunk: SpeechChunk, format: AnswerFormat, signal: AbortSignal) =>
    callOpenAi(server, {
      path: '/audio/transcriptions',
      body: makeForm(chunk, server.model, format),
      timeoutMs,
      signal,
      who: 'The speech service',
    })

  return {
    name: `openai:${server.model}`,
    async transcribe(chunk, signal) {
      const answer = await ask(chunk, 'verbose_json', signal).catch((error: unknown) => {
        if (!(error instanceof RefusedForm && REFUSES_TIMES.test(error.body))) throw error
        return ask(chunk, 'json', signal)
      })
      return normaliseWhisper(answer, chunk.durationMs, chunk.prompt)
    },
  }
}
