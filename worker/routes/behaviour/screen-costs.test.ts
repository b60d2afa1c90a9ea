// Behaviour: what reading a screen writes, as the costs of a month count it.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { SCREEN_READING_MAX_BYTES, type ScreenReading } from '#contract/screen.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { steps } from '#worker/db/schema.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { SCREEN_ROWS } from '#worker/domain/quota/prices.ts'
import { written } from '#worker/domain/step/testing/seed-steps.ts'
import { putTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { countRows } from '../testing/count-rows.ts'

/** Steps and lines that a screen changes. */
const COUNT = 10
const lines = Array.from({ length: COUNT }, (_, at) => {
  return { startMs: at * 20_000, endMs: at * 20_000 + 4_000, text: 'Open nautilis here.', confidence: 0.9, unsure: [1] }
})
const commands = lines.map(({ startMs }, at) => makeBlock(`ls ${at}`, startMs))
const names = lines.map(({ startMs }) => makeBlock('Nautilus', startMs, { kind: 'label' }))

async function seedRead() {
  const as = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId: as, status: 'READY', transcriptRun: 1, run: 1 })
  const transcriptKey = await putTranscript(env.MEDIA, { moduleId: id, run: 1 }, lines)
  await updateModule(openDb(env.DB), id, { transcriptKey })
  const rows = lines.map((_, at) => ({ ...written(1, at * 20), moduleId: id, position: at, segmentIds: [] }))
  for (const row of rows) await openDb(env.DB).insert(steps).values(row)
  const path = `/api/modules/${id}/screen`
  const put = async (json: ScreenReading) => (await countRows(path, { as, method: 'PUT', json })).rows
  const correct = async (text: string) => {
    const json = { readText: 'ls 1', startMs: 20_000, endMs: 22_000, text, kind: null, isHidden: false }
    return (await countRows(`${path}/corrections`, { as, method: 'PUT', json })).rows
  }
  const objects = async () => (await env.MEDIA.list({ prefix: `screens/${id}/` })).objects
  return { put, correct, objects }
}

it('a save, a step that changes, a line that is repaired, and a correction write what the costs say', async () => {
  const { put, correct, objects } = await seedRead()
  await put(makeReading([], { isDone: false, readMs: 1_000 }))
  const save = await put(makeReading([], { isDone: false, readMs: 2_000 }))
  const alike = await put(makeReading([]))
  const stepsOf = (await put(makeReading(commands))) - alike
  const repairs = (await put(makeReading([...commands, ...names]))) - alike
  await correct('ls one')
  const corrected = await correct('ls two')
  expect({ save, perStep: Math.ceil(stepsOf / COUNT), perLine: Math.ceil(repairs / COUNT), corrected }).toEqual({
    save: SCREEN_ROWS.perSave,
    perStep: SCREEN_ROWS.perStep,
    perLine: SCREEN_ROWS.perLine,
    corrected: SCREEN_ROWS.perCorrection,
  })
  // However often and long it is read, one object stays.
  expect(await objects()).toHaveLength(1)
  expect((await objects())[0]?.size).toBeLessThan(SCREEN_READING_MAX_BYTES)
})
