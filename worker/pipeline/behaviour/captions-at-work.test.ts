// Behaviour: captions that are stored while no run has begun.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seedCaptions } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { planCaptions } from '../advance-run.ts'
import { recover } from '../recover.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
const CAPTIONS = Array.from({ length: 6 }, (_, n) => ({
  startMs: n * 10_000,
  endMs: n * 10_000 + 9_000,
  text: `Open lid number ${n} and take the old filter out of it.`,
  confidence: null,
}))

function once(act: () => Promise<unknown>): () => Promise<void> {
  let isDone = false
  return async () => {
    if (isDone) return
    isDone = true
    await act()
  }
}

/** The database, with something done before or after each batch. */
function throughBatch(pass: (write: () => Promise<D1Result[]>) => Promise<D1Result[]>): D1Database {
  return {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => pass(() => env.DB.batch(statements)),
  } as unknown as D1Database
}

/** Does all that a run still has to do, with the watchdog's help where a message was let go of. */
async function finish(driver: Driver, id: RunId): Promise<void> {
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
  for (let minutes = 2; minutes < 12; minutes += 2) {
    const nowMs = () => Date.now() + minutes * MINUTE
    driver.deps.nowMs = nowMs
    if ((await recover(driver.deps, id.moduleId)) === null) return
    await driver.drain()
  }
}

async function expectCaptioned(driver: Driver, id: RunId): Promise<void> {
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', transcriptRun: 0 })
  const steps = await listSteps(driver.deps.db, id.moduleId)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) expect(step.originalText).toMatch(/Open lid number/)
  expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'ready', formedSegments: 0 })
}

describe('captions that are stored, but for which no run was begun,', () => {
  it.each([
    ['', async () => {}],
    [', also when a copy of its message has planned them meanwhile', planCaptions],
  ])('replace a transcribed section while it is being written%s', async (_also, planMeanwhile) => {
    const id = await seedRun(MINUTE)
    const bring = once(async () => {
      await seedCaptions(id.moduleId, CAPTIONS)
      await planMeanwhile(driver.deps, id)
    })
    const stepWriter: StepWriter = {
      name: 'interrupted',
      writeSteps: async (window, signal) => {
        await bring()
        return extractiveStepWriter.writeSteps(window, signal)
      },
    }
    const driver = openDriver({ stepWriter })
    await finish(driver, id)
    await expectCaptioned(driver, id)
  })

  it('replace the transcript while the last chunk is being transcribed', async () => {
    const id = await seedRun(MINUTE)
    const driver = openDriver({
      speech: fakeSpeech(async (chunk, call) => {
        if (call === 2) await seedCaptions(id.moduleId, CAPTIONS)
        return transcribedIn(chunk)
      }),
    })
    await finish(driver, id)
    await expectCaptioned(driver, id)
  })

  it('while a section is being formed end the forming, and take its place', async () => {
    const id = await seedRun(MINUTE)
    const driver = openDriver()
    const bring = once(() => seedCaptions(id.moduleId, CAPTIONS))
    // Of what is done here, only the forming of a section writes through this door.
    driver.deps.d1 = throughBatch(async (write) => {
      await bring()
      return write()
    })
    await finish(driver, id)
    await expectCaptioned(driver, id)
  })

  it('captions that are stored, but for which no run was begun after the last section was written, and before the end, take their place', async () => {
    const id = await seedRun(MINUTE)
    const driver = openDriver()
    const bring = once(() => seedCaptions(id.moduleId, CAPTIONS))
    const isWritten = env.DB.prepare('SELECT 1 FROM runs WHERE module_id = ? AND written_sections >= section_count')
    driver.deps.db = openDb(
      throughBatch(async (write) => {
        const answer = await write()
        if ((await isWritten.bind(id.moduleId).first()) !== null) await bring()
        return answer
      }),
    )
    await finish(driver, id)
    await expectCaptioned(driver, id)
  })
})
