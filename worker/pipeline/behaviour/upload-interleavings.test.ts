// Behaviour: uploads whose calls come in any order, twice, at once or never.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { handleUploadCreated } from '#worker/domain/upload/handle-upload-created.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { recover } from '../recover.ts'
import { type BrowserUpload, beginUpload, type PickedFile, pickFile } from '../testing/browser-upload.ts'
import { type Driver, fakeSpeech, openDriver } from '../testing/drive.ts'
import { audioOf, outcomeOf } from '../testing/outcome.ts'
import { clearTasks, holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const RUNS = Number(env.FAULT_RUNS || 12)
/** Ten times what the usual number of runs takes; stops the search for a simpler failure, too. */
const LIMIT_MS = 90_000 * Math.max(1, RUNS / 12)
const SEARCH = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS }
/** Four audio chunks, and two of the upload. */
const AUDIO_MS = 90_000
const HOUR = 60 * 60_000

type Happening =
  | { kind: 'part'; part: number }
  | { kind: 'audio'; from: number; count: number }
  | { kind: 'complete' }
  | { kind: 'event' }
  | { kind: 'sweep' }
  | { kind: 'cancel' }
  | { kind: 'look' }
  | { kind: 'deliver'; from: number; count: number; fate: 'once' | 'twice' }

const always: fc.Arbitrary<Happening>[] = [
  fc.record({ kind: fc.constant('part' as const), part: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant('audio' as const), from: fc.nat(3), count: fc.integer({ min: 1, max: 4 }) }),
  fc.constantFrom<Happening>({ kind: 'complete' }, { kind: 'event' }, { kind: 'sweep' }, { kind: 'look' }),
  fc.record({
    kind: fc.constant('deliver' as const),
    from: fc.nat(5),
    count: fc.integer({ min: 1, max: 6 }),
    fate: fc.constantFrom('once', 'once', 'twice'),
  }),
]
const happening = fc.oneof(...always)
const cancelling = fc.oneof(
  { weight: 6, arbitrary: happening },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
)
/** Some of them at the same moment. */
const moments = (each: fc.Arbitrary<Happening>) =>
  fc.array(fc.array(each, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 10 })

interface World {
  driver: Driver
  upload: BrowserUpload
  calls: () => number
  pass: (ms: number) => void
}

let file: PickedFile
let plain: Awaited<ReturnType<typeof outcomeOf>>

async function openWorld(): Promise<World> {
  await clearTasks()
  const speech = fakeSpeech()
  const driver = openDriver({ speech })
  let offsetMs = 0
  driver.deps.nowMs = () => Date.now() + offsetMs
  const upload = await beginUpload(driver, file)
  return { driver, upload, calls: () => speech.calls.length, pass: (ms) => void (offsetMs += ms) }
}

async function play({ driver, upload, pass }: World, what: Happening): Promise<void> {
  if (what.kind === 'part') return upload.sendPart(what.part)
  if (what.kind === 'audio') return upload.sendAudio(what.from, what.from + what.count)
  if (what.kind === 'complete') return upload.complete()
  if (what.kind === 'cancel') return upload.cancel()
  if (what.kind === 'event') return void (await handleUploadCreated(driver.deps, upload.key))
  if (what.kind === 'sweep') return void (await sweepHere(driver.deps))
  if (what.kind === 'look') {
    pass(50_000)
    return void (await recover(driver.deps, upload.moduleId))
  }
  const ready = await driver.listReady()
  const from = what.from % Math.max(1, ready.length)
  const taken = ready.slice(from, from + what.count)
  await Promise.all([driver.deliver(taken), what.fate === 'twice' ? driver.deliver(taken) : null])
}

/** A refusal of the API, and an error of the bucket about an upload that is over, reach only the caller. */
async function playAll(world: World, together: Happening[]): Promise<void> {
  for (const result of await Promise.allSettled(together.map((what) => play(world, what)))) {
    if (result.status === 'fulfilled') continue
    const error: unknown = result.reason
    const isNo = error instanceof AppError && error.code !== 'internal'
    if (!isNo && !/uploadPart:/.test(String(error))) throw error
  }
}

function moduleOf({ driver, upload }: World) {
  return findModule(driver.deps.db, upload.moduleId)
}

/** Time passes, and nothing is lost any more. */
async function calmDown(world: World): Promise<void> {
  for (let look = 0; look < 60; look++) {
    await world.driver.drain()
    if ((await moduleOf(world))?.status !== 'PROCESSING') return
    world.pass(20_000)
    await recover(world.driver.deps, world.upload.moduleId)
  }
}

async function checkWhole(world: World): Promise<void> {
  const { driver, upload } = world
  const module = await moduleOf(world)
  expect(module).toMatchObject({ status: 'READY', uploadId: null })
  const id = { moduleId: upload.moduleId, run: module?.run ?? 0 }
  const run = await findRun(driver.deps.db, id)
  expect(run?.audioFrom === 'ingest' || run?.isVerified).toBe(true)
  const transcribedMs = file.chunks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const chunkCount = file.chunks.length
  expect(run).toMatchObject({ chunkCount, transcribedCount: chunkCount, transcribedMs })
  const withoutRun = ({ text, steps }: typeof plain) => [text, steps].map((rows) => rows.map((row) => row.slice(1)))
  expect(withoutRun(await outcomeOf(driver, upload))).toEqual(withoutRun(plain))
  expect(world.calls()).toBeLessThanOrEqual(file.chunks.length * id.run)
}

/** A browser that does not know of it yet continues for a moment. */
async function checkLate(world: World): Promise<void> {
  const { driver, upload } = world
  expect(await moduleOf(world)).toBeNull()
  await playAll(world, [{ kind: 'part', part: 1 }, { kind: 'audio', from: 0, count: 4 }, { kind: 'complete' }])
  await playAll(world, [{ kind: 'event' }, { kind: 'sweep' }, { kind: 'look' }])
  expect((await driver.listReady()).filter(({ moduleId }) => moduleId === upload.moduleId)).toEqual([])
}

async function checkGone(world: World): Promise<void> {
  const { upload } = world
  expect(await moduleOf(world)).toBeNull()
  expect(await audioOf(upload.moduleId)).toEqual([])
  expect(await env.MEDIA.head(upload.key)).toBeNull()
  for (const table of ['upload_parts', 'audio_chunks', 'runs']) {
    const rows = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE module_id = ?`).bind(upload.moduleId)
    expect([table, await rows.first('n')]).toEqual([table, 0])
  }
  const tasks = env.DB.prepare("SELECT count(*) AS n FROM task_queue WHERE subject_id GLOB ? || '*'")
  expect(await tasks.bind(upload.moduleId).first('n')).toBe(0)
}

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  file = await pickFile(AUDIO_MS, UPLOAD_PART_BYTES + 1000)
  const world = await openWorld()
  await world.upload.sendVideo()
  await calmDown(world)
  plain = await outcomeOf(world.driver, world.upload)
  await checkWhole(world)
})

describe('an upload whose calls come in any order, twice, at the same moment, or not at all', () => {
  it('ends READY with all of its audio once the browser has sent the rest', {
    tags: 'guarantee-G3',
    timeout: 2 * LIMIT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(moments(happening), async (all) => {
        const world = await openWorld()
        for (const together of all) await playAll(world, together)
        await playAll(world, [{ kind: 'part', part: 1 }])
        await playAll(world, [{ kind: 'part', part: 2 }])
        await playAll(world, [{ kind: 'complete' }])
        await calmDown(world)
        await checkWhole(world)
      }),
      SEARCH,
    )
  })

  it(
    'ends READY or is removed when the browser never comes back, and is gone when it was cancelled',
    async () => {
      await fc.assert(
        fc.asyncProperty(moments(cancelling), async (all) => {
          const world = await openWorld()
          for (const together of all) await playAll(world, together)
          await calmDown(world)
          await playAll(world, [{ kind: 'sweep' }])
          await calmDown(world)
          const isCancelled = all.flat().some(({ kind }) => kind === 'cancel')
          if (isCancelled) await checkLate(world)
          // Given up after a day; gone when it cannot be restored any more, as one can that was cancelled too late.
          for (const hours of [25, 8 * 24]) {
            world.pass(hours * HOUR)
            await playAll(world, [{ kind: 'sweep' }])
          }
          if (isCancelled || (await moduleOf(world)) === null) await checkGone(world)
          else await checkWhole(world)
        }),
        SEARCH,
      )
    },
    2 * LIMIT_MS,
  )
})
