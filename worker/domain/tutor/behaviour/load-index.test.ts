// Behaviour: what the tutor knows of a module, from the database and the bucket.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { saveReading } from '#worker/domain/screen/screen-reading.ts'
import { meteredD1, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import { indexOf, loadIndex } from '../answer-turn.ts'

async function plant() {
  const { moduleId } = await seedTutored()
  const of = indexOf((await findModule(openDb(env.DB), moduleId)) as ModuleRow, 'viewer')
  const meter = openD1Meter()
  return { of, meter, context: { db: openDb(meteredD1(env.DB, () => meter)), bucket: env.MEDIA, nowMs: Date.now } }
}

it('reads and forms one index for questions that come at once', { tags: 'attack-46' }, async () => {
  const alone = await plant()
  await loadIndex(alone.context, alone.of)
  const { of, context, meter } = await plant()
  const [first, ...others] = await Promise.all([loadIndex(context, of), loadIndex(context, of), loadIndex(context, of)])
  for (const other of others) expect(other).toBe(first)
  expect(meter.statements).toBe(alone.meter.statements)
})

it('reads nothing for the next question about the same version', { tags: 'attack-46' }, async () => {
  const { of, context, meter } = await plant()
  const first = await loadIndex(context, of)
  const statements = meter.statements
  expect(await loadIndex(context, of)).toBe(first)
  expect(meter.statements).toBe(statements)
})

it('is for learners without the notes that may not be quoted, and for owners with them, from one reading', async () => {
  const { of, context, meter } = await plant()
  const update = "UPDATE steps SET notes = 'Of ' || id, notes_quotable = id = 'b' WHERE module_id = ? AND id < 'd'"
  await env.DB.prepare(update).bind(of.moduleId).run()
  const textsOf = async (role: 'owner' | 'viewer') =>
    (await loadIndex(context, { ...of, role })).notes.map(({ segment }) => segment.text)
  expect(await textsOf('viewer')).toEqual(['Of b'])
  const statements = meter.statements
  expect(await textsOf('owner')).toEqual(['Of a', 'Of b', 'Of c'])
  expect(await textsOf('viewer')).toEqual(['Of b'])
  expect(meter.statements).toBe(statements)
})

it('has what the screen shows, for owners and learners, and another index for another reading', async () => {
  const { of, context } = await plant()
  const module = (await findModule(openDb(env.DB), of.moduleId)) as ModuleRow
  const box = { x: 0, y: 0, width: 1, height: 1 }
  const block = { text: 'ls -la', startMs: 1_000, endMs: 2_000, box, kind: 'command', confidence: 1 } as const
  const reading = { readMs: 9_000, isDone: true, secrets: [], blocks: [block] }
  await saveReading({ d1: env.DB, bucket: env.MEDIA }, module, reading)
  const read = (await findModule(openDb(env.DB), of.moduleId)) as ModuleRow
  for (const role of ['owner', 'viewer'] as const) {
    expect((await loadIndex(context, indexOf(module, role))).screen).toMatchObject({ lines: [{ text: 'ls -la' }] })
    expect(indexOf(read, role).version).not.toBe(indexOf(module, role).version)
  }
})

it('forms an index of its own for another version', async () => {
  const { of, context } = await plant()
  expect(await loadIndex(context, { ...of, version: 'another' })).not.toBe(await loadIndex(context, of))
})
