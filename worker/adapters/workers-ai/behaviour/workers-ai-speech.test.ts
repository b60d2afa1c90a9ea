// Behaviour: speech recognition by Workers AI: names of models, answers as documented, failures.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { meanConfidence } from '#worker/domain/transcript/form-section.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'
import { openPace } from '../pace-calls.ts'
import { DOCUMENTED_FAULTS } from '../testing/faults.ts'
import { WHISPER_CASES } from '../testing/whisper-answers.ts'
import { type PacedAi, workersAiLanguage, workersAiSpeech } from '../workers-ai-models.ts'

const AUDIO = new Uint8Array(100_000).fill(255)
const CHUNK = {
  contentType: 'audio/mp4',
  durationMs: 10_000,
  language: 'en',
  prompt: 'Speech Studio',
} as const
const chunk = (): SpeechChunk => ({ ...CHUNK, audio: AUDIO.slice() })
const live = () => new AbortController().signal

function fakeAi(
  run: (model: string, inputs: Record<string, unknown>, options: AiOptions) => Promise<unknown>,
): PacedAi {
  return { ai: { run } as unknown as Ai, pace: async () => undefined, models: env }
}

async function codeOf(thrown: unknown): Promise<string> {
  const failure = await workersAiSpeech(fakeAi(() => Promise.reject(thrown)))
    .transcribe(chunk(), live())
    .catch((error: unknown) => error)
  return failure instanceof AppError ? failure.code : String(failure)
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

describe('workersAiSpeech', () => {
  it('sends the audio as base64 with the options that keep Whisper from making text up', async () => {
    const calls: { model: string; inputs: Record<string, unknown>; options: AiOptions }[] = []
    const speech = workersAiSpeech(
      fakeAi(async (model, inputs, options) => {
        calls.push({ model, inputs, options })
        return { text: 'Click here.', segments: [{ start: 1, end: 2, text: 'Click here.', avg_logprob: 0 }] }
      }),
    )
    const audio = AUDIO.slice()
    const result = await speech.transcribe({ ...CHUNK, audio }, live())
    // A call that waits for its answer must not keep the audio in memory twice.
    expect(audio.buffer.detached).toBe(true)
    expect(result.words.map((word) => word.text)).toEqual(['Click', 'here.'])
    expect(meanConfidence(result.words)).toBe(1)
    const [call] = calls
    expect(call?.model).toBe('@cf/openai/whisper-large-v3-turbo')
    expect(call?.options).toEqual({ rejectIfBusy: true, signal: expect.any(AbortSignal) as unknown })
    const { audio: sent, ...options } = call?.inputs ?? {}
    expect(Uint8Array.from(atob(String(sent)), (char) => char.charCodeAt(0))).toEqual(AUDIO)
    expect(options).toEqual({
      task: 'transcribe',
      vad_filter: true,
      condition_on_previous_text: false,
      language: 'en',
      initial_prompt: 'Speech Studio',
    })
  })

  it('leaves the language to Whisper when none is set', async () => {
    const seen: string[] = []
    const speech = workersAiSpeech(
      fakeAi(async (_model, inputs) => {
        seen.push(...Object.keys(inputs))
        return { text: '' }
      }),
    )
    expect((await speech.transcribe({ ...chunk(), language: null, prompt: null }, live())).words).toEqual([])
    expect(seen).not.toContain('language')
    expect(seen).not.toContain('initial_prompt')
  })
})

describe('the names of the models', () => {
  it('the names of the models are variables, without a second language model where that is empty', async () => {
    const asked: string[] = []
    const { ai, pace } = fakeAi(async (model) => {
      asked.push(model)
      throw new Error('3040: Capacity temporarily exceeded')
    })
    const models = { WORKERS_AI_SPEECH_MODEL: '@cf/a/ear', WORKERS_AI_LANGUAGE_MODEL: '@cf/a/large' }
    const speech = workersAiSpeech({ ai, pace, models: { ...models, WORKERS_AI_SECOND_MODEL: '' } })
    expect(speech.name).toBe('workers-ai:@cf/a/ear')
    await expect(speech.transcribe(chunk(), live())).rejects.toMatchObject({ code: 'ai_busy' })
    const askTutor = async (second: string) => {
      const { tutorModel } = workersAiLanguage({ ai, pace, models: { ...models, WORKERS_AI_SECOND_MODEL: second } })
      const question = { moduleId: 'module-1', messages: [{ role: 'user' as const, content: 'Where?' }] }
      const first = tutorModel.answer(question, live())[Symbol.asyncIterator]().next()
      await expect(first).rejects.toMatchObject({ code: 'ai_busy' })
    }
    await askTutor('')
    await askTutor('@cf/a/small')
    expect(asked).toEqual(['@cf/a/ear', '@cf/a/large', '@cf/a/large', '@cf/a/small'])
  })
})

describe('workersAiSpeech, answers as documented', () => {
  it.each(Object.entries(WHISPER_CASES))('reads %s', async (_, { answer, words, language, confidence }) => {
    const result = await workersAiSpeech(fakeAi(async () => answer)).transcribe(chunk(), live())
    expect(result.words.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual(words)
    expect(result.language).toBe(language)
    const mean = meanConfidence(result.words)
    expect(mean === null ? null : Number(mean.toFixed(2))).toBe(confidence)
  })
})

describe('workersAiSpeech, faults', () => {
  it.each([
    ...DOCUMENTED_FAULTS,
    ['InferenceUpstreamError: 3040: Capacity temporarily exceeded', 'ai_busy'],
    ['AiError: 3040', 'ai_busy'],
    ['Capacity temporarily exceeded, please try again.', 'ai_busy'],
    ['Network connection lost.', 'ai_busy'],
    ['you have used up your daily free allocation of 10,000 neurons', 'ai_quota'],
    ['AiError: AiError: Request is too large', 'ai_too_large'],
    ['408 Request Timeout', 'ai_timeout'],
    ['something else', 'ai_refused_audio'],
    ['AiError: 3010: Invalid or incomplete input for the model', 'ai_refused_audio'],
  ])('maps "%s" to %s', async (message, code) => {
    expect(await codeOf(named('InferenceUpstreamError', message))).toBe(code)
  })

  it('reads a fault that is thrown as text', async () => {
    expect(await codeOf('3036: used up')).toBe('ai_quota')
  })

  it('reports an answer without a transcript as ai_failed', async () => {
    await expect(workersAiSpeech(fakeAi(async () => null)).transcribe(chunk(), live())).rejects.toMatchObject({
      code: 'ai_failed',
    })
  })

  it('stops when the caller does, even if the model continues', async () => {
    const controller = new AbortController()
    const running = workersAiSpeech(fakeAi(() => new Promise(() => {}))).transcribe(chunk(), controller.signal)
    controller.abort(new Error('run stopped'))
    await expect(running).rejects.toThrow('run stopped')
  })
})

describe('the pace of calls', () => {
  /** A recogniser that counts its calls, of an account that allows so many in a minute. */
  function openSpeech(perMinute: string, pacer = env.CALL_PACER) {
    const calls: unknown[] = []
    const { ai } = fakeAi(async (model) => {
      calls.push(model)
      return { text: '' }
    })
    const pace = openPace({
      CALL_PACER: pacer,
      ROOM_JURISDICTION: '',
      SPEECH_CALLS_PER_MINUTE: perMinute,
      LANGUAGE_CALLS_PER_MINUTE: '',
    })
    return { calls, speech: workersAiSpeech({ ai, pace, models: env }) }
  }

  /** A pacer that answers nothing until its object is there again. */
  function openAbsent() {
    const { promise, resolve } = Promise.withResolvers<{ waitMs: number; isGranted: boolean }>()
    const take = vi.fn(() => promise)
    const pacer = { idFromName: () => 'id', get: () => ({ take }) } as unknown as Env['CALL_PACER']
    return { pacer, take, comeBack: () => resolve({ waitMs: 0, isGranted: true }) }
  }

  it('counts what a person waits for without waiting for the pacer', async () => {
    const { pacer, take, comeBack } = openAbsent()
    const { calls, speech } = openSpeech('1', pacer)
    await speech.transcribe({ ...chunk(), isAwaited: true }, live())
    expect(calls).toHaveLength(1)
    expect(take).toHaveBeenCalledWith(expect.objectContaining({ isUrgent: true }))
    comeBack()
  })

  it('is not waited for where the pacer does not answer', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.useFakeTimers()
    try {
      const { calls, speech } = openSpeech('1', openAbsent().pacer)
      const transcribed = speech.transcribe(chunk(), live())
      await vi.advanceTimersByTimeAsync(1_900)
      expect(calls).toHaveLength(0)
      await vi.advanceTimersByTimeAsync(200)
      await transcribed
      expect(calls).toHaveLength(1)
      expect(warn.mock.calls.flat()).toContainEqual(expect.objectContaining({ event: 'pace_unread' }))
    } finally {
      vi.useRealTimers()
      warn.mockRestore()
    }
  })

  it('is that of the account: a call beyond it is busy until its turn, and does not reach the model', async () => {
    const { calls, speech } = openSpeech('1')
    await speech.transcribe(chunk(), live())
    const refused = await speech.transcribe(chunk(), live()).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'ai_busy', isPaced: true })
    const { retryAfterS } = refused as AppError
    expect(retryAfterS).toBeGreaterThan(30)
    expect(retryAfterS).toBeLessThanOrEqual(67)
    expect(calls).toHaveLength(1)
  })

  it('does not hold up what a person waits for', async () => {
    const { calls, speech } = openSpeech('1')
    for (let call = 0; call < 3; call++) await speech.transcribe({ ...chunk(), isAwaited: true }, live())
    expect(calls).toHaveLength(3)
  })

  it('is not asked for where the account has no limit, and a limit that is no number is named', async () => {
    const { calls, speech } = openSpeech('')
    for (let call = 0; call < 3; call++) await speech.transcribe(chunk(), live())
    expect(calls).toHaveLength(3)
    const wrong = openSpeech('many').speech.transcribe(chunk(), live())
    await expect(wrong).rejects.toThrow('SPEECH_CALLS_PER_MINUTE is not a number of calls of at least 1: many')
  })

  it('ends a call that waits when its run ends', async () => {
    const { speech } = openSpeech('10')
    const controller = new AbortController()
    for (let call = 0; call < 3; call++) void speech.transcribe(chunk(), controller.signal).catch(() => undefined)
    const waiting = speech.transcribe(chunk(), controller.signal)
    controller.abort(new Error('run stopped'))
    await expect(waiting).rejects.toThrow('run stopped')
  })
})
