import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it, onTestFinished } from 'vitest'
import type { PersonTraining } from '#contract/records/person-training.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import { StepsAnswer } from '#contract/step.ts'
import { about, body } from '#contract/testing/records.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { countD1 } from '#worker/db/db.ts'
import { rowsOfRetraining } from '#worker/domain/quota/take-quota.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { askAgain } from './ask-again.ts'
import { listUnasked } from './retraining-store.ts'

const context = { d1: env.DB, bucket: env.MEDIA, nowMs: () => Date.UTC(2026, 10, 30) }
const STEP = { description: 'Turn the screw.', start: 0, end: 10 }
const STEPS = ['a', 'b', 'c']

/** A training of an organization in version 1, whose publisher changes and publishes it. */
async function seedTraining() {
  const as = { as: 'user_trainer', orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' }
  const { id } = await seedModule({
    userId: as.as,
    orgId: as.orgId,
    status: 'READY',
    runStatus: 'READY',
    durationMs: 60_000,
  })
  const save = (steps: readonly string[]) =>
    answerOf(StepsAnswer, `/api/steps/${id}`, {
      ...as,
      json: { steps: steps.map((title) => ({ ...STEP, id: title[0], title })) },
    })
  const path = `/api/versions/${id}`
  await save(STEPS)
  await answerOf(VersionsAnswer, path, { ...as, method: 'PUT', json: { isOn: true } })
  async function publish(steps: readonly string[], retraining: string) {
    await save(steps)
    const { hash: draft } = await answerOf(VersionAnswer, `${path}/draft`, as)
    const { published } = await answerOf(VersionsAnswer, path, as)
    return answerOf(VersionsAnswer, path, { ...as, json: { draft, published, note: '', retraining } })
  }
  await seedPeople(
    as.orgId,
    ['ann', 'bob', 'cem'].map((person) => ({ id: person, name: person })),
  )
  const record = (personId: string, of: RecordBody) =>
    appendRecords(context, as.orgId, { bodies: [about(of, { personId, moduleId: id })] })
  for (const person of ['ann', 'bob', 'cem']) await record(person, body.assigned())
  for (const person of ['ann', 'bob']) await record(person, body.reached(1))
  return { id, as, path, publish, record }
}

async function sweep({ id }: { id: string }): Promise<number> {
  let people = 0
  for (const version of await listUnasked(env.DB, 100))
    if (version.moduleId === id) people += await askAgain(context, version)
  return people
}

async function readAsked({ id, as }: { id: string; as: { orgId: string } }): Promise<Record<string, unknown>> {
  const subjects = ['ann', 'bob', 'cem'].map((personId) => ({ personId, moduleId: id }))
  const known: PersonTraining[] = await readKnown(env.DB, as.orgId, subjects)
  return Object.fromEntries(known.map(({ personId, retraining }) => [personId, retraining?.steps]))
}

it('asks those who have done it for exactly the changed and new steps, once', async () => {
  const training = await seedTraining()
  const { trained } = await training.publish(['a', 'b, changed', 'c', 'd'], 'changed')
  expect(trained).toBe(2)
  expect(await sweep(training)).toBe(2)
  expect(await readAsked(training)).toEqual({ ann: ['b', 'd'], bob: ['b', 'd'], cem: undefined })
  expect(await sweep(training)).toBe(0)
})

it('asks those who have confirmed or shown an earlier version, too', async () => {
  const training = await seedTraining()
  await training.record('cem', body.confirmed(1))
  expect((await training.publish(['a', 'b, changed', 'c'], 'changed')).trained).toBe(3)
  expect(await sweep(training)).toBe(3)
  expect(await readAsked(training)).toEqual({ ann: ['b'], bob: ['b'], cem: ['b'] })
})

it('asks again for what is not shown yet and still there, and for no more after it was shown', async () => {
  const training = await seedTraining()
  await training.publish(['a, changed', 'b, changed', 'c'], 'changed')
  await sweep(training)
  await training.record('bob', body.reached(2))
  await training.publish(['b, changed', 'c, changed'], 'changed')
  expect(await sweep(training)).toBe(2)
  expect(await readAsked(training)).toEqual({ ann: ['b', 'c'], bob: ['c'], cem: undefined })
  await training.publish(['c, changed'], 'none')
  expect(await sweep(training)).toBe(1)
  expect(await readAsked(training)).toEqual({ ann: ['c'], bob: ['c'], cem: undefined })
})

it('writes no more rows than are reserved when it is published, also where each is asked for other steps', async () => {
  const vars = env as { USER_WRITTEN_ROWS_PER_DAY: string }
  vars.USER_WRITTEN_ROWS_PER_DAY = '1000000'
  onTestFinished(() => void Object.assign(vars, { USER_WRITTEN_ROWS_PER_DAY: '' }))
  const readUsed = () =>
    env.DB.prepare(`SELECT amount FROM quota_uses WHERE module_id = ? AND kind = 'rows'`)
      .bind(training.as.as)
      .first<number>('amount')
  const training = await seedTraining()
  await training.publish(['a, changed', 'b', 'c'], 'changed')
  await sweep(training)
  await training.record('bob', body.reached(2))
  const usedBefore = (await readUsed()) ?? 0
  await training.publish(['a, changed', 'b, changed', 'c'], 'changed')
  expect(((await readUsed()) ?? 0) - usedBefore).toBeGreaterThan(rowsOfRetraining(2))
  const { d1, rowsWritten } = countD1(env.DB)
  for (const version of await listUnasked(env.DB, 100))
    if (version.moduleId === training.id) expect(await askAgain({ ...context, d1 }, version)).toBe(2)
  expect(rowsWritten()).toBeGreaterThan(8)
  expect(rowsWritten()).toBeLessThanOrEqual(rowsOfRetraining(2))
})

it('asks nobody for a version that asks for nothing, and for all of it where the publisher says so', async () => {
  const training = await seedTraining()
  await training.publish(['a, better said', 'b', 'c'], 'none')
  expect(await sweep(training)).toBe(0)
  await training.publish(['a, once more', 'b', 'c'], 'all')
  expect(await sweep(training)).toBe(2)
  expect(await readAsked(training)).toEqual({ ann: null, bob: null, cem: undefined })
  await training.publish(['a, and again', 'b', 'c'], 'none')
  expect(await sweep(training)).toBe(0)
})
