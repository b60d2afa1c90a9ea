// Behaviour: a run ends after the screen of its video was read, and while it is.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { openDb } from '#worker/db/db.ts'
import { applyReading } from '#worker/domain/screen/apply-reading.ts'
import { saveReading } from '#worker/domain/screen/screen-reading.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { openDriver, seedRun } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000

async function firstCommands(moduleId: string): Promise<string[]> {
  const [first] = await listSteps(openDb(env.DB), moduleId)
  return (first?.commands ?? []).map(({ text }) => text)
}

it('has what the screen shows in its steps, as they are first seen', async () => {
  const driver = openDriver()
  const id = await seedRun(2 * MINUTE)
  await saveReading(
    driver.deps,
    { id: id.moduleId, sourceKey: `src/${id.moduleId}/source`, ignoredArea: null, screenKey: null },
    makeReading([makeBlock('ls -a', 1_000)]),
  )
  expect(await applyReading(driver.deps, id.moduleId)).toBe(false)
  await driver.drain()
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  expect(await firstCommands(id.moduleId)).toEqual(['ls -a'])
  const [step] = await listSteps(openDb(env.DB), id.moduleId)
  expect(step?.beforeScreen ?? null).toBeNull()
})

it('lets a model that writes steps read the names and commands of the time of a section, and of no other', async () => {
  const windows: StepWindow[] = []
  const writeSteps: StepWriter['writeSteps'] = (window, signal) => {
    windows.push(window)
    return extractiveStepWriter.writeSteps(window, signal)
  }
  const driver = openDriver({ stepWriter: { name: 'fake', writeSteps } })
  const id = await seedRun(5 * MINUTE)
  const blocks = [makeBlock('Save As…', 2_000, { kind: 'label' }), makeBlock('ls -a', 1_000), makeBlock('pwd', 295_000)]
  await saveReading(
    driver.deps,
    { id: id.moduleId, sourceKey: `src/${id.moduleId}/source`, ignoredArea: null, screenKey: null },
    makeReading(blocks),
  )
  await driver.drain()
  expect(windows.length).toBeGreaterThan(1)
  const first = windows.find(({ before }) => before.length === 0)
  const last = windows.findLast(({ segments }) => (segments.at(-1)?.endMs ?? 0) > 295_000)
  expect([first?.screen, last?.screen]).toEqual([['ls -a', 'Save As'], ['pwd']])
})

it('does not lose a reading that comes while a run ends', async () => {
  const id = await seedRun(2 * MINUTE)
  const driver = openDriver()
  const { bucket } = driver.deps
  let isRead = false
  // The transcript is stored after the run has looked at what was read.
  const put: R2Bucket['put'] = async (key: string, ...rest: never[]) => {
    const stored = await (bucket.put as (...values: unknown[]) => Promise<R2Object>)(key, ...rest)
    if (key.startsWith('transcripts/') && !isRead) {
      isRead = true
      await saveReading(
        { d1: driver.deps.d1, bucket },
        { id: id.moduleId, sourceKey: `src/${id.moduleId}/source`, ignoredArea: null, screenKey: null },
        makeReading([makeBlock('ls -a', 1_000)]),
      )
    }
    return stored
  }
  Object.assign(driver.deps, {
    bucket: new Proxy(bucket, {
      get: (target, name) => (name === 'put' ? put : Reflect.get(target, name).bind(target)),
    }),
  })
  await driver.drain()
  expect(isRead).toBe(true)
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  expect(await firstCommands(id.moduleId)).toEqual(['ls -a'])
})
