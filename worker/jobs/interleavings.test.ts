import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { findRun } from '#worker/domain/run/run-store.ts'
import { watchModule } from '#worker/domain/run/watch-run.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'
import type { SpeechPart, SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { heardIn, openDriver, plantRun } from './testing/drive.ts'
import { checkSteps } from './testing/outcome.ts'
import { type Fault, openWildQueue, type WildQueue } from './testing/wild-queue.ts'

/** Three stretches: one part, two, and the rest. */
const SOUND_MS = 150_000
const RUNS = Number(env.FAULT_RUNS || 40)
/** Enough for the usual number of runs on a slow machine; stops the search for a simpler failure, too. */
const LIMIT_MS = 20_000 * Math.max(1, RUNS / 40)
/** Ten minutes of looking at it: enough for every redrive that a few faults need. */
const LOOKS = 60

interface Tick {
  from: number
  count: number
  fate: 'delivered' | 'twice' | 'lost'
  fault: Fault | null
  passMs: number
}

const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.oneof(fc.nat(12), fc.nat(40)),
  isAfter: fc.boolean(),
  kind: fc.constantFrom('error' as const, 'killed' as const),
})
const tick: fc.Arbitrary<Tick> = fc.record({
  from: fc.nat(10),
  count: fc.integer({ min: 1, max: 7 }),
  fate: fc.constantFrom('delivered', 'delivered', 'delivered', 'twice', 'lost'),
  fault: fc.option(fault, { freq: 2 }),
  passMs: fc.constantFrom(0, 1_000, 5_000, 31_000, 70_000),
})

interface World extends WildQueue {
  id: { moduleId: string; run: number }
  /** What was asked of a model although it had been answered and stored. */
  wasted: string[]
  calls: { speech: number; writer: number }
}

function nameOf({ audio }: SpeechPart): string {
  return `${audio.byteLength}/${audio.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 7)}`
}

/** Which part of the recording some sound is; the same in every run, since cutting is. */
const partNames = new Map<string, number>()

async function openWorld(): Promise<World> {
  const id = await plantRun(SOUND_MS)
  const calls = { speech: 0, writer: 0 }
  const wasted: string[] = []
  const isDone = async (sql: string, value: unknown) =>
    (await env.DB.prepare(`SELECT 1 AS yes FROM ${sql} = ?2`).bind(id.moduleId, value).first()) !== null
  const speech: SpeechToText = {
    name: 'fake',
    transcribe: async (sound) => {
      calls.speech += 1
      const name = nameOf(sound)
      const part = partNames.get(name) ?? partNames.size
      partNames.set(name, part)
      if (await isDone(`audio_parts WHERE module_id = ?1 AND status = 'heard' AND part`, part))
        wasted.push(`part ${part}`)
      return heardIn(sound)
    },
  }
  const stepWriter: StepWriter = {
    name: 'fake',
    writeSteps: async (window, signal) => {
      calls.writer += 1
      const first = Number(window.segments[0]?.id.slice(3))
      const sql = `stretches WHERE module_id = ?1 AND status = 'written' AND from_position`
      if (await isDone(sql, first)) wasted.push(`stretch at ${first}`)
      return extractiveStepWriter.writeSteps(window, signal)
    },
  }
  const { deps } = openDriver({ speech, stepWriter })
  const rooms = { idFromName: () => 'room', get: () => ({ publish: async () => {} }) }
  const queue = openWildQueue({ ...deps, rooms: rooms as unknown as Env['MODULE_ROOM'] })
  await queue.deps.queues.ingest.send({ kind: 'ingest', ...id })
  return { ...queue, id, wasted, calls }
}

async function play(world: World, { from, count, fate, fault, passMs }: Tick): Promise<void> {
  const messages = world.take(from, count)
  if (fate !== 'lost') await world.deliver(messages, fault)
  if (fate === 'twice') await world.deliver(messages, null)
  world.pass(passMs)
}

/** From here on nothing goes wrong any more, and the watchdog looks from time to time. */
async function calmDown(world: World): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    for (let due = world.take(0, 10); due.length > 0; due = world.take(0, 10)) await world.deliver(due, null)
    if (!(await watchModule(world.deps, world.id.moduleId))) return
    world.pass(20_000)
  }
}

async function outcomeOf({ deps, id }: World) {
  const segments = await listSegments(deps.db, id.moduleId)
  const steps = await listSteps(deps.db, id.moduleId)
  return {
    text: segments.map((segment) => ({ ...segment, moduleId: '' })),
    // How often what is shown has changed on the way is nobody's promise.
    steps: steps.map((step) => ({ ...step, moduleId: '', addedVersion: 0 })),
  }
}

async function endsOf({ id }: World): Promise<unknown[]> {
  const { results } = await env.DB.prepare('SELECT status FROM ends WHERE module_id = ?').bind(id.moduleId).all()
  return results.map((row) => row['status'])
}

/** The same recording, disturbed by nothing. */
let plain: { outcome: Awaited<ReturnType<typeof outcomeOf>>; speech: number; writer: number }

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await env.DB.prepare('CREATE TABLE ends (module_id TEXT, status TEXT)').run()
  await env.DB.prepare(
    `CREATE TRIGGER note_ends AFTER UPDATE OF status ON modules WHEN new.status <> old.status
     BEGIN INSERT INTO ends VALUES (new.id, new.status); END`,
  ).run()
  const world = await openWorld()
  for (let due = world.take(0, 1); due.length > 0; due = world.take(0, 1)) await world.deliver(due, null)
  plain = { outcome: await outcomeOf(world), ...world.calls }
  expect(await endsOf(world)).toEqual(['READY'])
  expect([plain.speech, plain.writer]).toEqual([partNames.size, 3])
})

describe('a run whose messages come twice, late, in any order or not at all, and whose workers die anywhere', () => {
  it(
    'ends once, and as if nothing had happened; nothing that is done is asked for again',
    async () => {
      // Workers that die are logged.
      const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
      const seed = env.FAULT_SEED === '' ? {} : { seed: Number(env.FAULT_SEED) }
      await fc.assert(
        fc.asyncProperty(fc.array(tick, { minLength: 4, maxLength: 16 }), async (ticks) => {
          const world = await openWorld()
          for (const each of ticks) await play(world, each)
          await calmDown(world)
          const ends = await endsOf(world)
          expect(world.deadCount() > 0 ? [['READY'], ['FAILED']] : [['READY']]).toContainEqual(ends)
          expect(world.wasted).toEqual([])
          expect((await findRun(world.deps.db, world.id))?.endedAt).not.toBeNull()
          if (ends[0] === 'READY') expect(await outcomeOf(world)).toEqual(plain.outcome)
          const steps = await checkSteps(world, world.id)
          if (ends[0] === 'READY') expect(steps).toBeGreaterThan(0)
          const faults = ticks.filter((each) => each.fault !== null).length
          expect(world.calls.writer).toBeLessThanOrEqual(plain.writer + 7 * faults)
        }),
        { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, ...seed },
      )
      errors.mockClear()
    },
    2 * LIMIT_MS,
  )
})
