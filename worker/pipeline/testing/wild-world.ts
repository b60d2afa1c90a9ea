import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { watchModule } from '#worker/domain/run/watch-run.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'
import type { SpeechPart, SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { heardIn, openDriver, plantRun } from './drive.ts'
import { type Fault, openWildQueue, type WildQueue } from './wild-queue.ts'

/** Three stretches: one part, two, and the rest. */
const SOUND_MS = 150_000
/** Ten minutes of looking at it: enough for every redrive that a few faults need. */
const LOOKS = 60

/** One thing that happens to the queue. */
export interface Tick {
  from: number
  count: number
  fate: 'delivered' | 'twice' | 'lost'
  fault: Fault | null
  passMs: number
}

export const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.oneof(fc.nat(12), fc.nat(40)),
  isAfter: fc.boolean(),
  kind: fc.constantFrom('error' as const, 'killed' as const),
})
export const tick: fc.Arbitrary<Tick> = fc.record({
  from: fc.nat(10),
  count: fc.integer({ min: 1, max: 7 }),
  fate: fc.constantFrom('delivered', 'delivered', 'delivered', 'twice', 'lost'),
  fault: fc.option(fault, { freq: 2 }),
  passMs: fc.constantFrom(0, 1_000, 5_000, 31_000, 70_000),
})

export interface World extends WildQueue {
  id: { moduleId: string; run: number }
  /** What was asked of a model although it had been answered and stored. */
  wasted: string[]
  calls: { speech: number; writer: number }
}

function nameOf({ audio }: SpeechPart): string {
  return `${audio.byteLength}/${audio.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 7)}`
}

/** Which part of the recording some sound is; the same in every run, since cutting is. */
export const partNames = new Map<string, number>()

export async function openWorld(): Promise<World> {
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

/** Delivers some messages as the tick says, and lets time pass. */
export async function play(world: World, { from, count, fate, fault, passMs }: Tick): Promise<void> {
  const messages = world.take(from, count)
  if (fate !== 'lost') await world.deliver(messages, fault)
  if (fate === 'twice') await world.deliver(messages, null)
  world.pass(passMs)
}

/** From here on nothing goes wrong any more, and the watchdog looks from time to time. */
export async function calmDown(world: World): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    for (let due = world.take(0, 10); due.length > 0; due = world.take(0, 10)) await world.deliver(due, null)
    if (!(await watchModule(world.deps, world.id.moduleId))) return
    world.pass(20_000)
  }
}

/** What people see of a run, whole. */
export async function seenOf({ deps, id }: World) {
  const segments = await listSegments(deps.db, id.moduleId)
  const steps = await listSteps(deps.db, id.moduleId)
  return {
    text: segments.map((segment) => ({ ...segment, moduleId: '' })),
    // How often what is shown has changed on the way is nobody's promise.
    steps: steps.map((step) => ({ ...step, moduleId: '', addedVersion: 0 })),
  }
}
