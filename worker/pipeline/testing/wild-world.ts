import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { OutlineTask, StepDraft, StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import type { SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { recover } from '../recover.ts'
import { openDriver, seedRun, transcribedIn } from './drive.ts'
import { segmentsOf } from './outcome.ts'
import { clearTasks } from './seed-tasks.ts'
import { type Fault, openWildQueue, type WildQueue } from './wild-queue.ts'

/** Three sections: one chunk, two, and the rest. */
const AUDIO_MS = 150_000
/** Twenty minutes of checks: enough for every retry that a few faults need. */
const CHECKS = 60

/** One thing that happens: a doorbell, which may come twice at the same moment, or a watchdog's check. */
export interface Tick {
  kind: TaskKind
  limit: number
  fate: 'once' | 'twice' | 'checked'
  fault: Fault | null
  passMs: number
}

export const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.oneof(fc.nat(12), fc.nat(40)),
  isAfter: fc.boolean(),
  kind: fc.constantFrom('error' as const, 'killed' as const, 'power' as const),
})
export const tick: fc.Arbitrary<Tick> = fc.record({
  kind: fc.constantFrom<TaskKind>('ingest', 'transcribe', 'transcribe', 'write_steps'),
  limit: fc.integer({ min: 1, max: 7 }),
  fate: fc.constantFrom('once', 'once', 'once', 'twice', 'checked'),
  fault: fc.option(fault, { freq: 2 }),
  passMs: fc.constantFrom(0, 1_000, 5_000, 31_000, 70_000),
})

function draftPairs({ segments }: StepWindow): StepDraft[] {
  return segments.flatMap((segment, at) => {
    const said = at % 2 === 0 ? [segment, ...segments.slice(at + 1, at + 2)] : []
    const description = said.map(({ text }) => text).join(' ')
    return said.length === 0
      ? []
      : [{ segmentIds: said.map(({ id }) => id), title: `Next page ${segment.id}`, description }]
  })
}

export interface World extends WildQueue {
  id: { moduleId: string; run: number }
  /** What was asked of a model although it had been answered and stored. */
  wasted: string[]
  calls: { speech: number; writer: number; outline: number }
}

function nameOf({ audio }: SpeechChunk): string {
  return `${audio.byteLength}/${audio.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 7)}`
}

/** Which chunk of the recording some audio is; the same in every run, since cutting is. */
export const chunkNames = new Map<string, number>()

/** @param isOutlined the writer makes a step of every second sentence, and of the last one an entry of its own in the end */
export async function openWorld({ isOutlined = false } = {}): Promise<World> {
  await clearTasks()
  const id = await seedRun(AUDIO_MS)
  const calls = { speech: 0, writer: 0, outline: 0 }
  const wasted: string[] = []
  // What a run has done is dropped when it ends well.
  const isDone = async (sql: string, value: unknown) =>
    (await env.DB.prepare(
      `SELECT 1 AS yes FROM ${sql} = ?2 UNION SELECT 1 FROM modules WHERE id = ?1 AND status = 'READY'`,
    )
      .bind(id.moduleId, value)
      .first()) !== null
  const speech: SpeechToText = {
    name: 'fake',
    transcribe: async (audio) => {
      calls.speech += 1
      const name = nameOf(audio)
      const chunk = chunkNames.get(name) ?? chunkNames.size
      chunkNames.set(name, chunk)
      if (await isDone(`audio_chunks WHERE module_id = ?1 AND status = 'transcribed' AND chunk`, chunk))
        wasted.push(`chunk ${chunk}`)
      return transcribedIn(audio)
    },
  }
  const stepWriter: StepWriter = {
    name: 'fake',
    writeSteps: async (window, signal) => {
      calls.writer += 1
      const first = Number(window.segments[0]?.id.slice(3))
      const sql = `sections WHERE module_id = ?1 AND status = 'written' AND from_position`
      if (await isDone(sql, first)) wasted.push(`section at ${first}`)
      return isOutlined ? draftPairs(window) : extractiveStepWriter.writeSteps(window, signal)
    },
    ...(isOutlined && {
      outline: async ({ steps }: OutlineTask) => {
        calls.outline += 1
        if (await isDone(`runs WHERE module_id = ?1 AND outline <> '' AND run`, id.run)) wasted.push('outline')
        const last = steps.at(-1)?.lines[0]?.line ?? 0
        return [1, last].map((first) => ({ first, title: `Page from ${first} of ${last}` }))
      },
    }),
  }
  const { deps } = openDriver({ speech, stepWriter })
  const rooms = { idFromName: () => 'room', get: () => ({ publish: async () => {} }) }
  const queue = openWildQueue({ ...deps, rooms: rooms as unknown as Env['MODULE_ROOM'] })
  return { ...queue, id, wasted, calls }
}

/** Does some tasks as the tick says, and lets time pass. */
export async function play(world: World, { kind, limit, fate, fault, passMs }: Tick): Promise<void> {
  if (fate === 'checked') await recover(world.deps, world.id.moduleId)
  else await Promise.all([world.deliver(kind, limit, fault), fate === 'twice' ? world.deliver(kind, limit, null) : 0])
  world.pass(passMs)
}

/** Does all that is due, in the order of the stages. */
export async function drainDue(world: Pick<World, 'deliver'>): Promise<void> {
  for (let done = 1; done > 0; ) {
    done = 0
    for (const kind of ['ingest', 'transcribe', 'write_steps'] as const) done += await world.deliver(kind, 10, null)
  }
}

/** From here on nothing goes wrong any more, and the watchdog checks from time to time. */
export async function calmDown(world: World): Promise<void> {
  for (let check = 0; check < CHECKS; check++) {
    await drainDue(world)
    if ((await recover(world.deps, world.id.moduleId)) === null) return
    world.pass(20_000)
  }
}

/** What people see of a run, whole. */
export async function seenOf({ deps, id }: World) {
  const segments = await segmentsOf(deps, id.moduleId)
  const steps = await listSteps(deps.db, id.moduleId)
  return {
    text: segments,
    // How often the shown steps have changed on the way is not promised.
    steps: steps.map((step) => ({ ...step, moduleId: '', addedVersion: 0 })),
  }
}
