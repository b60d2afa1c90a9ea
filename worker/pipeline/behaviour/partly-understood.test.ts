// Behaviour: a recording of which only a part is understood.
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf } from '#local/testing/api.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { SpeechChunk, SpeechResult } from '#worker/ports/speech-to-text.ts'
import { fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { checkSteps, moduleOf, segmentsOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
const UNSURE = 0.3

/** What a recogniser invents over noise: few words, of which it is not sure. */
function inventedIn({ durationMs }: Pick<SpeechChunk, 'durationMs'>): SpeechResult {
  const words = transcribedIn({ durationMs }, UNSURE).words.filter((_, index) => index % 8 === 7)
  return { words: words.map((word) => ({ ...word, text: 'rattle' })), language: 'en' }
}

/** Narration in some chunks, noise in the others: words are invented over it, or none are found. */
async function process(
  { narrated, noise }: { narrated: number[]; noise: 'invented' | 'wordless' },
  audioMs: number,
  userId = 'user_owner',
) {
  const speech = fakeSpeech((chunk, call) => {
    if (narrated.includes(call - 1)) return transcribedIn(chunk)
    return noise === 'invented' ? inventedIn(chunk) : { words: [], language: null }
  })
  const driver = openDriver({ speech })
  const id = await seedRun(audioMs, { userId })
  await driver.deliver([{ kind: 'ingest', ...id }])
  // One after the other, so that calls count chunks.
  await driver.drain((ready) => ready.slice(0, 1))
  return { driver, id }
}

describe.each(['invented', 'wordless'] as const)('half a minute of narration, with %s words in the noise', (noise) => {
  it.each([
    ['before half an hour of noise', 30, [0, 1], [0, 33_000]],
    ['after minutes of noise', 4, [8], [205_000, 4 * MINUTE]],
  ] as const)('%s makes a training of its own', async (_where, minutes, narrated, [fromMs, toMs]) => {
    const { driver, id } = await process({ narrated: [...narrated], noise }, minutes * MINUTE)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', failureCode: null, lastError: null })
    expect(await checkSteps(driver, id)).toBeGreaterThan(0)
    for (const { startMs, endMs } of [
      ...(await listSteps(driver.deps.db, id.moduleId)),
      ...(await segmentsOf(driver.deps, id.moduleId)),
    ]) {
      expect(startMs).toBeGreaterThanOrEqual(fromMs)
      expect(endMs).toBeLessThanOrEqual(toMs)
    }
    // One word so near to a sentence may be a part of it.
    const said = (await segmentsOf(driver.deps, id.moduleId)).map(({ text }) => text).join(' ')
    expect(said.match(/rattle/gi)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  it('names the rest, whose scenes get names', async () => {
    const as = `user_${nanoid(8)}`
    const { id } = await process({ narrated: [0, 1], noise }, 4 * MINUTE, as)
    const { withoutSpeech } = await answerOf(TranscriptAnswer, `/api/transcript/${id.moduleId}`, { as })
    expect(withoutSpeech).toEqual([{ start: expect.closeTo(31, -1), end: expect.closeTo(240, 0) }])
    const path = `/api/steps/${id.moduleId}`
    const offer = { as, method: 'PUT', json: { starts: [0, 10, 60, 90] } }
    const { proposals } = await answerOf(ProposalsAnswer, `${path}/proposals`, offer)
    const [rest] = withoutSpeech
    expect(proposals.map(({ title, start, end }) => [title, start, end])).toEqual([
      ['', rest?.start, 60],
      ['', 60, 90],
      ['', 90, rest?.end],
    ])
    // The first browser decides.
    const other = { ...offer, json: { starts: [0, 120] } }
    expect((await answerOf(ProposalsAnswer, `${path}/proposals`, other)).proposals).toEqual(proposals)
    const { steps } = await answerOf(StepsAnswer, path, { as })
    const json = { steps: [...steps, { ...proposals[1], title: 'Close the valve' }] }
    const saved = await answerOf(StepsAnswer, path, { as, json })
    expect(saved.steps.at(-1)).toMatchObject({ title: 'Close the valve', start: 60, end: 90 })
  })

  it('is a failure where none of it is left', async () => {
    const { driver, id } = await process({ narrated: [], noise }, 3 * MINUTE)
    const failureCode = noise === 'invented' ? 'not_understood' : 'no_narration'
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode })
  })
})
