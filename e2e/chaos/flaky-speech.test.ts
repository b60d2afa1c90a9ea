import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normaliseWhisper } from '#worker/adapters/whisper/normalise-whisper.ts'
import { type FlakySpeech, startFlakySpeech } from './flaky-speech.ts'

let speech: FlakySpeech
beforeAll(async () => {
  speech = await startFlakySpeech()
})
afterAll(() => speech.close())

/** @returns the status, or null when the connection broke, and the answer */
async function transcribe(audio: string): Promise<{ status: number | null; body: unknown }> {
  const form = new FormData()
  form.append('file', new File([audio], 'chunk.m4a'))
  form.append('response_format', 'verbose_json')
  try {
    const response = await fetch(`${speech.baseUrl}/audio/transcriptions`, { method: 'POST', body: form })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: null, body: null }
  }
}

describe('startFlakySpeech', () => {
  it('transcribes the same audio in the same way and another one differently, and counts', async () => {
    const transcription = speech.beginRound(null)
    const [one, again, other] = await Promise.all([transcribe('one'), transcribe('one'), transcribe('other')])
    expect(one).toEqual(again)
    expect(one.status).toBe(200)
    expect(other.body).not.toEqual(one.body)
    expect(new Set(transcription.answers.values())).toEqual(new Set([1, 2]))
    expect(transcription.refused).toBe(0)
  })

  it('answers with sentences that pass the speech checks of the product', async () => {
    const { words, language } = normaliseWhisper((await transcribe('sentences')).body, 30_000)
    expect(language).toBe('en')
    expect(words.length).toBeGreaterThan(15)
    expect(words.at(-1)?.endMs).toBeLessThan(20_000)
  })

  it('is busy for every call of a round that begins so, and answers in the next one', async () => {
    const busy = speech.beginRound(null, { busyMs: 60 * 60_000 })
    expect((await transcribe('one')).status).toBe(429)
    expect([busy.refused, busy.answers.size]).toEqual([1, 0])
    speech.beginRound(null)
    expect((await transcribe('one')).status).toBe(200)
  })

  it('fails the calls that the seed selects, in any order of calls', async () => {
    const chunks = Array.from({ length: 60 }, (_, at) => `audio ${at}`)
    const fatesOf = async (order: string[]) => {
      const transcription = speech.beginRound('seed')
      const fates = await Promise.all(order.map(async (audio) => [audio, (await transcribe(audio)).status] as const))
      expect(transcription.refused).toBe(fates.filter(([, status]) => status !== 200).length)
      return Object.fromEntries(fates)
    }
    const fates = await fatesOf(chunks)
    expect(await fatesOf(chunks.toReversed())).toEqual(fates)
    expect(new Set(Object.values(fates))).toEqual(new Set([200, 429, null]))
  })
})
