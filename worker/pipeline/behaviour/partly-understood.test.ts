// Behaviour: a recording of which only a part is understood.
import { describe, expect, it } from 'vitest'
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
async function process({ narrated, noise }: { narrated: number[]; noise: 'invented' | 'wordless' }, audioMs: number) {
  const speech = fakeSpeech((chunk, call) => {
    if (narrated.includes(call - 1)) return transcribedIn(chunk)
    return noise === 'invented' ? inventedIn(chunk) : { words: [], language: null }
  })
  const driver = openDriver({ speech })
  const id = await seedRun(audioMs)
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

  it('is a failure where none of it is left', async () => {
    const { driver, id } = await process({ narrated: [], noise }, 3 * MINUTE)
    const failureCode = noise === 'invented' ? 'not_understood' : 'no_narration'
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode })
  })
})
