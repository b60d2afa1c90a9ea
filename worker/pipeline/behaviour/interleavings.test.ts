// Behaviour: runs whose messages come in any order and whose workers die anywhere.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { addCaptions } from '#worker/domain/run/reprocess-module.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { MAX_ATTEMPTS } from '#worker/tasks/retry.ts'
import { checkSteps, moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'
import { calmDown, chunkNames, drainDue, openWorld, play, seenOf, tick, type World } from '../testing/wild-world.ts'

holdTasks()

const RUNS = Number(env.FAULT_RUNS || 40)
/** Ten times what the usual number of runs takes; stops the search for a simpler failure, too. */
const LIMIT_MS = 100_000 * Math.max(1, RUNS / 40)
const SEARCH = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS }

async function endsOf({ id }: World): Promise<unknown[]> {
  const { results } = await env.DB.prepare('SELECT status FROM ends WHERE module_id = ?').bind(id.moduleId).all()
  return results.map((row) => row['status'])
}

/** The same recording, disturbed by nothing. */
let plain: { outcome: Awaited<ReturnType<typeof seenOf>>; speech: number; writer: number }

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await env.DB.prepare('CREATE TABLE ends (module_id TEXT, status TEXT)').run()
  await env.DB.prepare(
    `CREATE TRIGGER note_ends AFTER UPDATE OF status ON modules WHEN new.status <> old.status
     BEGIN INSERT INTO ends VALUES (new.id, new.status); END`,
  ).run()
  const world = await openWorld()
  await drainDue(world)
  plain = { outcome: await seenOf(world), ...world.calls }
  expect(await endsOf(world)).toEqual(['READY'])
  expect([plain.speech, plain.writer]).toEqual([chunkNames.size, 3])
})

describe('a run whose doorbells come twice, late, in any order or not at all, and whose workers die anywhere', () => {
  it('ends once, and as if nothing had happened; nothing that is done is asked for again', {
    tags: ['guarantee-G2', 'guarantee-G3', 'guarantee-G4', 'fault-13', 'fault-14'],
    timeout: 2 * LIMIT_MS,
  }, async () => {
    // Workers that die are logged.
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    await fc.assert(
      fc.asyncProperty(fc.array(tick, { minLength: 4, maxLength: 16 }), async (ticks) => {
        const world = await openWorld()
        for (const each of ticks) await play(world, each)
        await calmDown(world)
        const ends = await endsOf(world)
        const faults = ticks.filter((each) => each.fault !== null).length
        // A task may have failed as often as it may.
        if (faults >= MAX_ATTEMPTS && ends[0] === 'FAILED') return
        expect(ends).toEqual(['READY'])
        expect(world.wasted).toEqual([])
        expect((await findRun(world.deps.db, world.id))?.endedAt).not.toBeNull()
        expect(await seenOf(world)).toEqual(plain.outcome)
        expect(await checkSteps(world, world.id)).toBeGreaterThan(0)
        expect(world.calls.writer).toBeLessThanOrEqual(plain.writer + 7 * faults)
      }),
      SEARCH,
    )
    errors.mockClear()
  })
})

describe('such a run whose model outlines its steps', () => {
  it('ends once, with the same entries as if nothing had happened', {
    tags: ['guarantee-G2', 'guarantee-G3', 'fault-13', 'fault-14'],
    timeout: 2 * LIMIT_MS,
  }, async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const calm = await openWorld({ isOutlined: true })
    await drainDue(calm)
    const outlined = await seenOf(calm)
    expect(calm.calls.outline).toBe(1)
    expect(outlined.steps.map(({ title }) => title)).toEqual([1, 2].map(() => expect.stringMatching(/^Page from /)))
    expect(outlined.steps.flatMap(({ segmentIds }) => segmentIds)).toEqual(outlined.text.map(({ id }) => id))
    await fc.assert(
      fc.asyncProperty(fc.array(tick, { minLength: 4, maxLength: 16 }), async (ticks) => {
        const world = await openWorld({ isOutlined: true })
        for (const each of ticks) await play(world, each)
        await calmDown(world)
        const ends = await endsOf(world)
        const faults = ticks.filter((each) => each.fault !== null).length
        if (faults >= MAX_ATTEMPTS && ends[0] === 'FAILED') return
        expect(ends).toEqual(['READY'])
        expect(world.wasted).toEqual([])
        // A model with which one task died so often is not asked for it any more.
        if (faults > 3) return
        expect(await seenOf(world)).toEqual(outlined)
        expect(world.calls.outline).toBeLessThanOrEqual(1 + faults)
      }),
      { ...SEARCH, numRuns: Math.ceil(RUNS / 4) },
    )
    errors.mockClear()
  })
})

const CAPTIONS = new TextEncoder().encode(
  `WEBVTT\n\n${Array.from({ length: 28 }, (_, n) => {
    const at = (second: number) => `00:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}.000`
    return `${at(n * 5)} --> ${at(n * 5 + 5)}\nNow open lid number ${n} and take the old filter out of it.\n`
  }).join('\n')}`,
)

/** The worker that adds captions dies between storing them and beginning a run for them. */
async function addHalf(world: World): Promise<void> {
  const d1 = faultyD1(env.DB, (queries) =>
    queries.some((query) => query.includes('insert into "runs"')) ? 'not done' : null,
  )
  const module = await moduleOf(world, world.id)
  if (module === null) throw new Error('no module')
  await expect(addCaptions({ ...world.deps, d1, db: openDb(d1) }, module, CAPTIONS)).rejects.toThrow()
}

async function addWhole(world: World): Promise<void> {
  const module = await moduleOf(world, world.id)
  if (module !== null) await addCaptions(world.deps, module, CAPTIONS)
}

/** Without the number of the run, which only says how often it was begun. */
async function seenOfAnyRun(world: World) {
  const { text, steps } = await seenOf(world)
  return { text, steps: steps.map((step) => ({ ...step, run: 0, id: step.id.replace(/^r\d+/, 'r') })) }
}

describe('captions that come at any moment of such a run', () => {
  it.each([
    ['with a run of their own', addWhole],
    ['and the worker that added them died before it began one', addHalf],
  ])(
    'the steps of a run are made of the captions that come at any moment of it, %s',
    { tags: 'guarantee-G3', timeout: 2 * LIMIT_MS },
    async (_how, add) => {
      const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
      const whole = await openWorld()
      await addWhole(whole)
      await calmDown(whole)
      const captioned = await seenOfAnyRun(whole)
      const moment = fc.array(tick, { maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(moment, moment, async (before, after) => {
          const world = await openWorld()
          for (const each of before) await play(world, each)
          const isOver = (await moduleOf(world, world.id))?.status !== 'PROCESSING'
          await add(world)
          for (const each of after) await play(world, each)
          await calmDown(world)
          // The client that added them to a module that had ended got an error.
          if (isOver && add === addHalf) return
          expect(await moduleOf(world, world.id)).toMatchObject({ status: 'READY', transcriptRun: 0 })
          expect(await seenOfAnyRun(world)).toEqual(captioned)
        }),
        { ...SEARCH, numRuns: Math.ceil(RUNS / 4) },
      )
      errors.mockClear()
    },
  )
})
