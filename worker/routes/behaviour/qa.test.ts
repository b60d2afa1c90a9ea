// Behaviour: questions by voice and by text to the tutor without a stream.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RECORDING_MAX_BYTES } from '#contract/limits.ts'
import { QuotaReached } from '#contract/problem.ts'
import { Conversation, SpokenText, TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { serveModels } from '#local/testing/serve-models.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { CHUNK_TYPES, makeChunk } from '#media/testing/make-chunk.ts'
import { makeMedia } from '#media/testing/make-media.ts'
import { writeChunk } from '#media/write-chunk.ts'
import { toAdts } from '#worker/domain/media/read-chunk.ts'
import { usdOfAudio } from '#worker/domain/quota/spend-ai.ts'
import { UNITS } from '#worker/domain/quota/take-quota.ts'
import { measureQuestion } from '#worker/domain/tutor/transcribe-question.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const someone = () => `user_${nanoid(8)}`

/** A speech server for the worker under test, until the test ends. @returns the forms that it was sent */
function openSpeechServer(answer: (form: FormData) => Response): FormData[] {
  const forms: FormData[] = []
  serveModels(
    async (_url, init) => {
      const form = init?.body as FormData
      forms.push(form)
      return answer(form)
    },
    { SPEECH_BASE_URL: 'http://speech.test/v1' },
  )
  return forms
}

const nameOf = (form: FormData) => (form.get('file') as File).name

const saying = (text: string) => () =>
  Response.json({ text, duration: 2, segments: text === '' ? [] : [{ start: 0, end: 2, text, no_speech_prob: 0.01 }] })

/** What a browser records: Opus in WebM, three seconds. */
const SPOKEN = await makeMedia('live', opusPackets(50))
/** Two minutes of audio in a container that declares two seconds. */
const SQUEEZED = await makeMedia('live', opusPackets(2_100, 1))

/** Packets of 60 ms. @param statedMs what the container says of each */
function opusPackets(count: number, statedMs = 60) {
  return Array.from({ length: count }, (_, at) => ({ startMs: at * statedMs, lengthMs: statedMs, loudness: 0 }))
}

/** Silence in packets of 120 ms that have two bytes each. */
function silence(durationMs: number) {
  const bytes = Uint8Array.of(0x1b, 2)
  const packets = Array.from({ length: durationMs / 120 }, (_, at) => {
    return { startMs: at * 120, endMs: (at + 1) * 120, bytes, loudness: null }
  })
  return writeChunk('audio/ogg', { codec: 'opus', sampleRate: 48_000, channels: 1, description: null }, packets)
}

async function recorded(body: BodyInit = SPOKEN as BodyInit, type = 'audio/webm;codecs=opus') {
  const { moduleId } = await seedTutored({ glossary: 'wrench, Hazet' })
  const path = `/api/qa/transcribe?moduleId=${moduleId}`
  return { path, options: { as: someone(), method: 'POST', body, headers: { 'content-type': type } } }
}

describe('POST /api/qa/ask', () => {
  it('answers a spoken question as a written one, in the same conversation', { tags: 'spec-7.13' }, async () => {
    const { moduleId } = await seedTutored()
    const as = someone()
    const json = { moduleId, question: ` ${WRENCH} `, videoTime: 20, turnId: 'turn-0001' }
    const answer = await answerOf(TutorAnswerBody, '/api/qa/ask', { as, json })
    expect(answer).toMatchObject({ turnId: 'turn-0001', isCovered: true, citations: [{ start: 18 }, {}, {}] })
    const { messages } = await answerOf(Conversation, `/api/ai/conversation/${moduleId}`, { as })
    expect(messages.map(({ content }) => content)).toEqual([WRENCH, answer.answer])
  })

  it.each([
    [WRENCH, null, 'en'],
    [WRENCH, 'es-MX', 'es-MX'],
    ['¿Dónde está el fusible de la máquina?', 'en', 'es'],
  ])(
    'says in which language its answer to %j about a video in %s is: %s',
    { tags: 'spec-9.9' },
    async (question, video, language) => {
      const { moduleId } = await seedTutored()
      await env.DB.prepare('UPDATE modules SET language = ? WHERE id = ?').bind(video, moduleId).run()
      const answer = await answerOf(TutorAnswerBody, '/api/qa/ask', { as: someone(), json: { moduleId, question } })
      expect(answer.language).toBe(language)
    },
  )

  it('understands what refers to the answer before, and thanks', async () => {
    const { moduleId } = await seedTutored()
    const as = someone()
    const ask = async (question: string) =>
      (await answerOf(TutorAnswerBody, '/api/qa/ask', { as, json: { moduleId, question } })).answer
    const first = await ask(WRENCH)
    expect(await ask('And then?')).toMatch(/^“(?!The wrench)/)
    expect(await ask('Thank you.')).toBe('You’re welcome.')
    expect(await ask('And then?')).toMatch(/^“(?!The wrench)/)
    expect(await ask(WRENCH)).toBe(first)
    // The moment that answered best once more, with what is said after it.
    expect(await ask('Explain that again.')).toMatch(/^“The wrench for the wheel nuts is under the carpet/)
  })

  it.each([
    ['no question', { question: '' }],
    ['a speech', { question: 'x'.repeat(2_001) }],
    ['a question by another name', { question: undefined, userMessage: WRENCH }],
  ])('refuses %s', async (_what, fields) => {
    const { moduleId } = await seedTutored()
    const json = { moduleId, ...fields }
    expect((await problemOf('/api/qa/ask', { as: someone(), json })).code).toBe('invalid_request')
  })
})

describe('POST /api/qa/transcribe', () => {
  it.each([
    ['words that continue the one before', [' What', ' is', ' speech', '-to', '-text?'], 'What is speech-to-text?'],
    ['characters of a script without blanks', ['如', '何', '保', '存', '？'], '如何保存？'],
    ['what Whisper repeats', [' Where', ' is', ' the', ...Array<string>(8).fill(' key')], 'Where is the key'],
  ])('writes a question as it writes a transcript: %s', async (_what, texts, text) => {
    const words = texts.map((word, at) => ({ word, start: at / 10, end: (at + 1) / 10, probability: 0.9 }))
    openSpeechServer(() => Response.json({ text: texts.join(''), segments: [{ start: 0, end: 2, text, words }] }))
    const { path, options } = await recorded()
    const answer = await answerOf(SpokenText, path, options)
    expect(answer).toMatchObject({ text, hasBlanks: texts.some((each) => each.startsWith(' ')) })
  })

  it('transcribes the recording, with the glossary of the video and in the language of the specification', async () => {
    const forms = openSpeechServer(saying('Where is the Hazet wrench?'))
    const { path, options } = await recorded()
    expect(await answerOf(SpokenText, path, options)).toEqual({
      success: true,
      text: 'Where is the Hazet wrench?',
      takenAs: 'audio/webm',
    })
    const [form] = forms
    const file = form?.get('file')
    expect(file instanceof File ? file.name : file).toBe('chunk.webm')
    expect([form?.get('language'), form?.get('prompt')]).toEqual(['en', 'wrench, Hazet'])
  })

  it.each([
    ['en-US', 'en'],
    ['es-ES', 'es'],
    ['zh-CN', 'zh'],
  ])(
    'learns which language the page speaks, %s, whatever the video does',
    { tags: 'spec-9.9' },
    async (language, primary) => {
      const forms = openSpeechServer(saying('Where is it?'))
      const { path, options } = await recorded()
      await env.DB.prepare(`UPDATE modules SET language = 'de' WHERE id = ?`).bind(path.split('=')[1]).run()
      await answerOf(SpokenText, `${path}&language=${language}`, options)
      expect(forms[0]?.get('language')).toBe(primary)
      expect((await problemOf(`${path}&language=nothing+known`, options)).code).toBe('invalid_request')
    },
  )

  it('says as what the recogniser took it where that refuses M4A', async () => {
    const forms = openSpeechServer((form) =>
      nameOf(form).endsWith('.m4a')
        ? Response.json({ error: { message: 'Invalid file format.' } }, { status: 400 })
        : saying('Where is it?')(),
    )
    const { audio } = makeChunk('audio/mp4', Array<number>(100).fill(10))
    const { path, options } = await recorded(audio, 'audio/mp4')
    expect(await answerOf(SpokenText, path, options)).toMatchObject({ text: 'Where is it?', takenAs: 'audio/aac' })
    expect(forms.map(nameOf)).toEqual(['chunk.m4a', 'chunk.aac'])
  })

  it('is empty for a silent recording', async () => {
    openSpeechServer(saying(''))
    const { path, options } = await recorded()
    expect((await answerOf(SpokenText, path, options)).text).toBe('')
  })

  it('says so where there is no recogniser, and where it fails', async () => {
    const { path, options } = await recorded()
    expect(await problemOf(path, options)).toMatchObject({
      code: 'not_implemented',
      error: 'Speech recognition is not installed here. Type instead.',
    })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    openSpeechServer(() => new Response('no', { status: 500 }))
    expect((await problemOf(path, options)).code).toBe('unavailable')
    warn.mockRestore()
  })

  it.each<[string, BodyInit, string]>([
    ['two hours of silence in a few bytes', silence(2 * 3_600_000), 'audio/ogg'],
    ['a little more than two minutes', silence(120_120), 'audio/ogg'],
    ['a recording whose container declares less than it has', SQUEEZED as BodyInit, 'audio/webm'],
  ])('measures first, and refuses %s, which costs nothing', { tags: 'attack-27' }, async (_what, body, type) => {
    const forms = openSpeechServer(saying('Where is it?'))
    const { path, options } = await recorded(body, type)
    expect(await problemOf(path, options)).toMatchObject({
      code: 'payload_too_large',
      error: 'This recording is longer than two minutes. Say it in fewer words, or type it.',
    })
    expect(forms).toEqual([])
  })

  it.each(CHUNK_TYPES)('is paid by the length that was measured: %s', { tags: 'attack-28' }, async (type) => {
    const vars = env as { USER_AI_USD_PER_DAY: string }
    vars.USER_AI_USD_PER_DAY = '1'
    onTestFinished(() => void Object.assign(vars, { USER_AI_USD_PER_DAY: '' }))
    openSpeechServer(saying('Where is it?'))
    const { audio, durationMs } = makeChunk(type, Array<number>(100).fill(10))
    const { path, options } = await recorded(audio, type)
    expect((await call(path, options)).status).toBe(200)
    const moduleId = path.split('=')[1]
    const paid = env.DB.prepare(`SELECT amount FROM quota_uses WHERE module_id = ? AND kind = 'ai'`).bind(moduleId)
    expect(await paid.first('amount')).toBe(Math.ceil(usdOfAudio(durationMs) * UNITS.ai))
  })

  it('measures ADTS by the rate in its frames', async () => {
    openSpeechServer(saying('Where is it?'))
    const adts = await toAdts(makeChunk('audio/mp4', Array<number>(100).fill(10)).audio)
    const { path, options } = await recorded(adts as BodyInit, 'audio/aac')
    expect(await answerOf(SpokenText, path, options)).toMatchObject({ text: 'Where is it?', takenAs: 'audio/aac' })
    expect(await measureQuestion({ audio: adts as Uint8Array<ArrayBuffer>, contentType: 'audio/aac' })).toBe(6_400)
  })

  it('refuses audio that cannot be measured', async () => {
    const forms = openSpeechServer(saying('Where is it?'))
    const { path, options } = await recorded(new Uint8Array([26, 69, 223, 163]))
    expect((await problemOf(path, options)).code).toBe('unsupported_media_type')
    expect(forms).toEqual([])
  })

  it('says which limit of the day is reached', async () => {
    const vars = env as { USER_AI_USD_PER_DAY: string }
    vars.USER_AI_USD_PER_DAY = '0'
    onTestFinished(() => void Object.assign(vars, { USER_AI_USD_PER_DAY: '' }))
    const forms = openSpeechServer(saying('Where is it?'))
    const { path, options } = await recorded()
    const quota = { kind: 'ai', of: 'owner', limit: 0 }
    expect(await problemOf(path, options)).toMatchObject({ code: 'quota_reached', status: 429 })
    expect(QuotaReached.parse(await (await call(path, options)).json()).quota).toMatchObject(quota)
    expect(forms).toEqual([])
  })

  it.each<[string, BodyInit, string, string]>([
    ['what is no recording', 'x', 'text/plain', 'unsupported_media_type'],
    ['a video', 'x', 'video/webm', 'unsupported_media_type'],
    ['nothing', '', 'audio/webm', 'invalid_request'],
    ['a lecture', new Uint8Array(RECORDING_MAX_BYTES + 1), 'audio/webm', 'payload_too_large'],
  ])('refuses %s', async (_what, body, type, code) => {
    const { path, options } = await recorded(body, type)
    expect((await problemOf(path, options)).code).toBe(code)
  })

  it('wants to know about which module', async () => {
    const { options } = await recorded()
    expect((await problemOf('/api/qa/transcribe', options)).code).toBe('invalid_request')
  })
})
