import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { readAnswers, rememberAnswers, writeAnswers } from './remember-answers.ts'

const { signal } = new AbortController()

function chunkOf(byte: number, fields: Partial<SpeechChunk> = {}): SpeechChunk {
  const audio = Uint8Array.of(byte, 2, 3)
  return { audio, contentType: 'audio/wav', durationMs: 1000, language: null, prompt: null, ...fields }
}

/** Says how often it was asked, and frees the audio; it has no time for a chunk that begins with 9. */
function countingSpeech(): SpeechToText & { calls: number } {
  const speech = {
    name: 'counting',
    calls: 0,
    transcribe: async ({ audio }: SpeechChunk) => {
      speech.calls++
      if (audio[0] === 9) throw new AppError('ai_busy', 'Busy.')
      audio.buffer.transfer(0)
      return { words: [{ text: `${speech.calls}`, startMs: 0, endMs: 1, confidence: 0.5 }], language: 'en' }
    },
  }
  return speech
}

describe('rememberAnswers', () => {
  it('asks for the same audio once, also in an attempt that knows its language, and again for another language, hint or audio', async () => {
    const speech = countingSpeech()
    const answers = readAnswers(null)
    const first = await rememberAnswers(speech, answers).transcribe(chunkOf(1), signal)
    const later = rememberAnswers(speech, readAnswers(writeAnswers(answers)))
    for (const language of [null, 'en']) {
      expect(await later.transcribe(chunkOf(1, { language }), signal)).toEqual(first)
    }
    expect(speech.calls).toBe(1)
    for (let time = 0; time < 2; time++) {
      await later.transcribe(chunkOf(2), signal)
      await later.transcribe(chunkOf(1, { prompt: 'Adapt' }), signal)
      await later.transcribe(chunkOf(1, { prompt: 'Valve' }), signal)
      // In which it is answered in another one.
      await later.transcribe(chunkOf(1, { language: 'de' }), signal)
      expect(speech.calls).toBe(5)
    }
  })

  it('remembers no failure', async () => {
    const speech = countingSpeech()
    const answers = readAnswers(null)
    const remembering = rememberAnswers(speech, answers)
    for (const call of [1, 2]) {
      await expect(remembering.transcribe(chunkOf(9), signal)).rejects.toMatchObject({ code: 'ai_busy' })
      expect(speech.calls).toBe(call)
    }
    expect(answers.size).toBe(0)
  })
})
