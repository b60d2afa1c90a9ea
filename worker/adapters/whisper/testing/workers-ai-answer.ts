/** What a stored answer holds of an answer of faster-whisper (local/speech/whisper/transcribe.py). */
export interface StoredAnswer {
  language: string
  duration: number
  text: string
  words: StoredWord[]
  segments: StoredSegment[]
}

interface StoredWord {
  word: string
  start: number
  end: number
  probability: number
}

interface StoredSegment {
  start: number
  end: number
  text: string
  temperature: number
  avg_logprob: number
  compression_ratio: number
  no_speech_prob: number
  words: StoredWord[]
}

function toTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice('1970-01-01T'.length, -1)
}

/**
 * The same answer in the shape of `@cf/openai/whisper-large-v3-turbo`. Documented, not seen: its schema names these fields,
 * and does not say whether words begin with blanks.
 */
export function toWorkersAi({ language, duration, text, words, segments }: StoredAnswer): unknown {
  return {
    transcription_info: { language, language_probability: 1, duration, duration_after_vad: duration },
    text,
    word_count: words.length,
    segments: segments.map(({ start, end, text: said, temperature, avg_logprob, compression_ratio, ...rest }) => ({
      start,
      end,
      text: said,
      temperature,
      avg_logprob,
      compression_ratio,
      no_speech_prob: rest.no_speech_prob,
      words: rest.words.map(({ probability: _probability, ...word }) => word),
    })),
    vtt: `WEBVTT\n\n${segments.map(({ start, end, text: said }) => `${toTime(start)} --> ${toTime(end)}\n${said.trim()}\n`).join('\n')}`,
  }
}
