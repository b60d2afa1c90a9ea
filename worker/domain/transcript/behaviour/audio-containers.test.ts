// Behaviour: AAC that a recogniser refuses as M4A is sent again as ADTS.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeChunk, readPackets } from '#media/testing/make-chunk.ts'
import { AppError } from '#worker/core/errors.ts'
import { openAacMemory } from '#worker/domain/health/outcome-store.ts'
import type { AudioContentType, SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { transcribeChunk } from '../transcribe-chunk.ts'

const LOUD = Array.from({ length: 200 }, () => 120)
const HOUR_MS = 60 * 60_000
/** What an isolate has read of the account is read again in each test. */
let nowMs = Date.parse('2026-11-23T08:00:00Z')

beforeEach(async () => {
  nowMs += 30 * 24 * HOUR_MS
  await env.DB.prepare('DELETE FROM outcomes').run()
})

const memory = () => openAacMemory({ d1: env.DB, nowMs: () => nowMs })

/** Takes only some containers, frees what it was given, and notes what it was asked. */
function recogniserOf(taken: readonly AudioContentType[]) {
  const asked: { contentType: AudioContentType; packets: number }[] = []
  const speech: SpeechToText = {
    name: 'fake',
    async transcribe({ audio, contentType, durationMs }) {
      asked.push({ contentType, packets: (await readPackets(audio)).length })
      audio.buffer.transfer(0)
      if (!taken.includes(contentType)) throw new AppError('ai_refused_audio', 'Refused.')
      const middleMs = durationMs / 2
      const word = { text: 'open', startMs: middleMs, endMs: middleMs + 400, confidence: 1 }
      return { words: [word], language: 'en' }
    },
  }
  return { speech, asked }
}

async function transcribe(speech: SpeechToText, contentType: 'audio/mp4' | 'audio/ogg' = 'audio/mp4') {
  const { audio, durationMs } = makeChunk(contentType, LOUD)
  const chunk: SpeechChunk = { audio: audio.slice(), contentType, durationMs, language: null, prompt: null }
  const options = { signal: new AbortController().signal, reload: async () => audio.slice(), aac: await memory() }
  return transcribeChunk(speech, chunk, options)
}

describe('AAC that a recogniser refuses as M4A', () => {
  it('is sent as ADTS with the same packets, and all later chunks of the account at once', async () => {
    const { speech, asked } = recogniserOf(['audio/aac'])
    expect((await transcribe(speech)).words).toHaveLength(1)
    expect(asked).toEqual([
      { contentType: 'audio/mp4', packets: LOUD.length },
      { contentType: 'audio/aac', packets: LOUD.length },
    ])
    await transcribe(speech)
    expect(asked.slice(2).map(({ contentType }) => contentType)).toEqual(['audio/aac'])
    // As another isolate reads it.
    nowMs += HOUR_MS
    await transcribe(speech)
    expect(asked.slice(3).map(({ contentType }) => contentType)).toEqual(['audio/aac'])
  })

  it('is tried as M4A again after a day', async () => {
    const { speech, asked } = recogniserOf(['audio/aac'])
    await transcribe(speech)
    nowMs += 25 * HOUR_MS
    await transcribe(recogniserOf(['audio/mp4']).speech)
    await transcribe(speech)
    expect(asked.map(({ contentType }) => contentType)).toEqual(['audio/mp4', 'audio/aac', 'audio/mp4', 'audio/aac'])
  })

  it('is tried as M4A again once ADTS is refused', async () => {
    await transcribe(recogniserOf(['audio/aac']).speech)
    const { speech, asked } = recogniserOf(['audio/mp4'])
    await expect(transcribe(speech)).rejects.toMatchObject({ code: 'ai_failed' })
    await transcribe(speech)
    expect(asked.map(({ contentType }) => contentType)).toEqual(['audio/aac', 'audio/mp4'])
  })

  it('fails by name where ADTS is refused as well', async () => {
    const { speech, asked } = recogniserOf([])
    const message = 'The speech service cannot decode AAC, neither as M4A nor as ADTS.'
    await expect(transcribe(speech)).rejects.toMatchObject({ code: 'ai_failed', message })
    expect(asked).toHaveLength(2)
    expect((await memory()).isM4aRefused).toBe(false)
  })

  it('is halved in the container that is taken where it is too large', async () => {
    const { speech, asked } = recogniserOf(['audio/aac'])
    const halving: SpeechToText = {
      name: 'small',
      async transcribe(chunk, signal) {
        if (chunk.durationMs > 8_000) throw new AppError('ai_too_large', 'Refused.')
        return speech.transcribe(chunk, signal)
      },
    }
    expect((await transcribe(halving)).words).toHaveLength(2)
    expect(asked.map(({ contentType }) => contentType)).toEqual(['audio/mp4', 'audio/aac', 'audio/aac'])
  })
})

it('fails by name where other audio is refused, which there is no second container for', async () => {
  const { speech, asked } = recogniserOf(['audio/aac'])
  await expect(transcribe(speech, 'audio/ogg')).rejects.toMatchObject({ code: 'ai_failed' })
  expect(asked).toHaveLength(1)
})
