// Behaviour: what the tutor knows of a module, from the database and the bucket.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
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

it('forms an index of its own for another version', async () => {
  const { of, context } = await plant()
  expect(await loadIndex(context, { ...of, version: 'another' })).not.toBe(await loadIndex(context, of))
})
