// Behaviour: audio that the recogniser refuses in one container and takes in another.
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { openAiSpeech } from '#worker/adapters/openai-compatible/openai-models.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'
import { openWildRun } from '../testing/wild-run.ts'

holdTasks()

const REFUSAL = { error: { message: 'Invalid file format. Supported formats are those of this server.' } }
/** Attempts are apart by up to minutes, in rounds of five seconds. */
const ROUNDS = 300

/** A speech server that takes only files of some names. */
function serverOf(taken: RegExp) {
  const asked: string[] = []
  const speech = openAiSpeech({
    baseUrl: 'https://speech.example/v1',
    apiKey: '',
    model: 'fake',
    fetch: async (address, init) => {
      const file = (await new Request(address, init).formData()).get('file') as File
      asked.push(file.name)
      if (!taken.test(file.name)) return Response.json(REFUSAL, { status: 400 })
      const words = Array.from({ length: 10 }, (_each, at) => ({ word: `word${at}`, start: at, end: at + 0.5 }))
      return Response.json({ text: words.map(({ word }) => word).join(' '), words, language: 'english' })
    },
  })
  return { speech, asked }
}

beforeEach(() => env.DB.prepare('DELETE FROM outcomes').run())

it('transcribes a video with a service that refuses M4A, and asks it for M4A only once', async () => {
  const { speech, asked } = serverOf(/\.aac$/)
  const run = await openWildRun({ speech })
  await run.drain(ROUNDS)
  expect(await moduleOf(run, run.id)).toMatchObject({ status: 'READY' })
  expect(asked.filter((name) => name.endsWith('.m4a'))).toHaveLength(1)
})

it('fails by name with a service that refuses both containers of AAC', async () => {
  const { speech } = serverOf(/\.mp3$/)
  const [warned, failed] = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
  for (const log of [warned, failed]) log.mockImplementation(() => {})
  const run = await openWildRun({ speech })
  await run.drain(ROUNDS)
  expect(await moduleOf(run, run.id)).toMatchObject({ status: 'FAILED' })
  const lines = [...warned.mock.calls, ...failed.mock.calls].map((line) => JSON.stringify(line))
  expect(lines.join('\n')).toContain('The speech service cannot decode AAC, neither as M4A nor as ADTS. (400)')
})
