// Behaviour: a model that is busy, or still being prepared, while many videos wait.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ModuleAnswer } from '#contract/module.ts'
import { answerOf } from '#local/testing/api.ts'
import { openAiSpeech } from '#worker/adapters/openai-compatible/openai-models.ts'
import { AppError } from '#worker/core/errors.ts'
import { admitRuns } from '#worker/domain/run/start-run.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import { openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { holdTasks } from '../testing/seed-tasks.ts'
import { openWildQueue } from '../testing/wild-queue.ts'

holdTasks()

const MINUTE = 60_000
const MANY = 50
const AUDIO_MS = 30_000

/** A server that says 429 until a moment, and then transcribes. */
function openBusySpeech(isBusy: () => boolean) {
  const { words } = transcribedIn({ durationMs: 9_000 })
  const said = words.map(({ text, startMs, endMs }) => ({ word: text, start: startMs / 1000, end: endMs / 1000 }))
  const server = { baseUrl: 'http://speech.example/v1', apiKey: '', model: 'any' }
  return openAiSpeech({
    ...server,
    fetch: async () =>
      isBusy()
        ? Response.json({ error: { message: 'Too many requests' } }, { status: 429 })
        : Response.json({ text: words.map(({ text }) => text).join(' '), language: 'english', words: said }),
  })
}

/** Modules of an owner whose videos have arrived at the same moment, in their turns. */
async function seedArrived(userId: string, count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => seedRun(AUDIO_MS, { userId })))
  await env.DB.prepare(
    'UPDATE runs SET admitted_at = NULL WHERE module_id IN (SELECT id FROM modules WHERE user_id = ?)',
  )
    .bind(userId)
    .run()
  return ids.map(({ moduleId }) => moduleId)
}

async function readEnds(): Promise<{ moduleId: string; status: string; attempts: number; endedAt: number }[]> {
  const { results } = await env.DB.prepare(
    `SELECT m.id AS moduleId, m.status, r.ended_at AS endedAt, coalesce(r.work->>'$.audio.mostTries', 0) AS attempts
     FROM modules AS m JOIN runs AS r ON r.module_id = m.id ORDER BY r.ended_at`,
  ).all<{ moduleId: string; status: string; attempts: number; endedAt: number }>()
  return results
}

describe('a model that is busy for ten minutes while fifty videos of one owner arrive, and one of another', () => {
  it('makes all of them READY without an attempt, the single one among the first', {
    tags: ['fault-20', 'fault-21'],
  }, async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const queue = openWildQueue(openDriver({ speech: openBusySpeech(() => queue.now() < backMs) }).deps)
    const backMs = queue.now() + 10 * MINUTE
    await seedArrived('user_of_many', MANY)
    const [one = ''] = await seedArrived('user_of_one', 1)
    for (const userId of ['user_of_many', 'user_of_one']) await admitRuns(queue.deps, userId)
    const messages = new Set<string>()
    const open = env.DB.prepare(`SELECT count(*) AS n FROM modules WHERE run_status = 'PROCESSING'`)
    for (let rounds = 0; rounds < 2_000 && (await open.first('n')) !== 0; rounds++) {
      let done = await queue.deliver('ingest', 1, null)
      done += await queue.deliver('transcribe', 6, null)
      done += await queue.deliver('write_steps', 6, null)
      queue.pass(done === 0 ? 20_000 : 1_000)
      if (rounds === 10)
        messages.add((await answerOf(ModuleAnswer, `/api/modules/${one}`, { as: 'user_of_one' })).module.message)
    }
    const ends = await readEnds()
    expect(ends).toHaveLength(MANY + 1)
    expect(ends.filter(({ status, attempts }) => status !== 'READY' || attempts > 1)).toEqual([])
    expect([...messages]).toEqual(['Waiting for its turn: the speech service is busy'])
    // Two of the other owner's are at work beside it, and as many may have been ahead of it.
    expect(ends.findIndex(({ moduleId }) => moduleId === one)).toBeLessThan(6)
    // After that the pace is the model's: six calls a second, of which each module takes two or three.
    expect((ends.at(-1)?.endedAt ?? Infinity) - backMs).toBeLessThan(5 * MINUTE)
  })
})

describe('speech recognition that is still being prepared when a video arrives', () => {
  it('has the video wait in transcribing and say so, without an attempt, and then transcribes it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { words } = transcribedIn({ durationMs: 9_000 })
    const speech: SpeechToText = {
      name: 'prepared',
      async transcribe() {
        if (queue.now() >= readyMs) return { words, language: 'en' }
        throw new AppError('ai_busy', 'It is being prepared.', { isPreparing: true, retryAfterS: 5 })
      },
    }
    const queue = openWildQueue(openDriver({ speech }).deps)
    const readyMs = queue.now() + MINUTE
    const { moduleId } = await seedRun(AUDIO_MS, { userId: 'user_early' })
    await admitRuns(queue.deps, 'user_early')
    const rounds = async (untilMs: number) => {
      while (queue.now() < untilMs) {
        await queue.deliver('ingest', 1, null)
        await queue.deliver('transcribe', 6, null)
        await queue.deliver('write_steps', 6, null)
        queue.pass(5_000)
      }
    }
    const read = async () => (await answerOf(ModuleAnswer, `/api/modules/${moduleId}`, { as: 'user_early' })).module
    await rounds(readyMs)
    expect(await read()).toMatchObject({
      status: 'PROCESSING',
      message: 'Waiting until speech recognition is prepared',
    })
    // Its pauses do not grow, so it is not late when the recogniser is there.
    await rounds(readyMs + MINUTE)
    expect((await readEnds()).find((each) => each.moduleId === moduleId)).toMatchObject({
      status: 'READY',
      attempts: 1,
    })
  })
})
