import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { foldRecords } from '#contract/records/person-training.ts'
import { listRows, openDb } from '#worker/db/db.ts'
import { openBoundedContext } from '#worker/entry/open-context.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { appendRecords } from './append-records.ts'
import { takeCheckpoint } from './checkpoint.ts'
import { correctRecord } from './correct-record.ts'
import { readHistories } from './read-histories.ts'
import { changeKeeping, readKeeping } from './record-keeping.ts'
import { keepPhoto } from './record-photo.ts'
import { readHead, readKnown } from './record-store.ts'
import { listDueRemovals, removeRecords } from './remove-records.ts'
import { seedPeople } from './testing/seed-people.ts'
import { ANNA, ASSIGNED, BOSS, CONFIRMED, TRAINING } from './testing/seed-records.ts'

const SUBJECT = { personId: ANNA.id, moduleId: TRAINING.id }
const contextAt = (day: string) => ({ ...openBoundedContext(env), nowMs: () => Date.parse(`${day}T12:00:00Z`) })

/** Records of 2020, with a checkpoint behind the second of them, and one of 2026. */
async function seedOld(org: string) {
  const old = contextAt('2020-01-01')
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(old, org, { bodies: [ASSIGNED, CONFIRMED] })
  await takeCheckpoint(old, org)
  await appendRecords(contextAt('2026-01-01'), org, { bodies: [{ ...CONFIRMED, words: 'Again.' }] })
}

/** Removes what is due, as the sweep does. */
async function sweep(org: string, day: string) {
  const context = contextAt(day)
  const due = (await listDueRemovals(context.d1, context.nowMs())).find(({ orgId }) => orgId === org)
  return due === undefined ? null : removeRecords(context, due)
}

const seqsOf = async (org: string) =>
  (await listRows<{ seq: number }>(env.DB, 'SELECT seq FROM training_records WHERE org_id = ? ORDER BY seq', org)).map(
    ({ seq }) => seq,
  )

it('removes all up to a checkpoint after its time, and what is known stays', async () => {
  const org = 'org_retention'
  await seedOld(org)
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  const [known, head] = [await readKnown(env.DB, org, [SUBJECT]), await readHead(env.DB, org)]
  expect(await sweep(org, '2021-01-01')).toBeNull()
  expect(await sweep(org, '2026-02-01')).toBe(true)
  expect(await seqsOf(org)).toEqual([3, 4])
  expect((await readKeeping(openDb(env.DB), org)).fromSeq).toBe(3)
  expect(await readKnown(env.DB, org, [SUBJECT])).toEqual(known)
  expect(await readHead(env.DB, org)).toEqual(head)
  const [history] = await readHistories(env.DB, org, [SUBJECT])
  expect(foldRecords(SUBJECT, history?.records ?? [], history?.base ?? undefined)).toEqual(known[0])
})

it('removes the photos of removed records, unless another record of that person names them', async () => {
  const org = 'org_retained_photos'
  const place = { orgId: org, personId: ANNA.id }
  const keep = (last: number) =>
    keepPhoto(env.MEDIA, place, { bytes: new Uint8Array([0xff, 0xd8, 0xff, last]), type: 'image/jpeg' })
  const [gone, named] = [await keep(1), await keep(2)]
  const { words: _words, language: _language, ...act } = CONFIRMED
  const signed = (photos: readonly string[]) =>
    ({
      ...act,
      kind: 'signed_off',
      supervisor: BOSS,
      meaning: 'Seen.',
      steps: photos.map((photo) => ({ id: photo.slice(0, 8), note: '', photo })),
    }) as const
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(contextAt('2020-01-01'), org, { bodies: [ASSIGNED, signed([gone, named])] })
  await takeCheckpoint(contextAt('2020-01-01'), org)
  await appendRecords(contextAt('2026-01-01'), org, { bodies: [signed([named])] })
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  expect(await sweep(org, '2026-02-01')).toBe(true)
  const { objects } = await env.MEDIA.list({ prefix: `records/${org}/photos/` })
  expect(objects.map(({ key }) => key.split('/').at(-1))).toEqual([named])
})

it('keeps records until their months are over, also where a month is shorter', async () => {
  const org = 'org_short_month'
  await seedOld(org)
  await changeKeeping(contextAt('2026-02-01'), org, { months: 13, hold: null, showsEffort: false, by: BOSS })
  const due = await listDueRemovals(env.DB, Date.parse('2027-03-31T12:00:00Z'))
  expect(due.find(({ orgId }) => orgId === org)?.keptDay).toBe('2026-02-28')
})

it('makes what is known anew from what was summed up when a later record is corrected', async () => {
  const org = 'org_retained_correction'
  await seedOld(org)
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  await sweep(org, '2026-02-01')
  await correctRecord(contextAt('2026-02-02'), org, { seq: 3, reason: 'Not Anna.', by: BOSS })
  const [known] = await readKnown(env.DB, org, [SUBJECT])
  expect(known).toMatchObject({ requests: [{ assignment: 'a1' }], confirmed: { seq: 2 }, done: { seq: 2 } })
})

/** Records of 2020 about many people, in one. */
async function seedMany(org: string, count: number) {
  const people = Array.from({ length: count }, (_, index) => ({ id: `p${index}`, commitment: ANNA.commitment }))
  await seedPeople(
    org,
    people.map(({ id }) => ({ id, name: id })),
  )
  const old = contextAt('2020-01-01')
  await appendRecords(old, org, { bodies: [{ ...ASSIGNED, people }] })
  await takeCheckpoint(old, org)
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  return { orgId: org, months: 24, fromSeq: 1, keptDay: '2024-02-01' }
}

it('leaves nothing of a correction whose record was removed in a sweep before it', async () => {
  const org = 'org_late_correction'
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(contextAt('2020-01-01'), org, { bodies: [ASSIGNED, CONFIRMED] })
  await takeCheckpoint(contextAt('2020-01-01'), org)
  await correctRecord(contextAt('2021-01-01'), org, { seq: 2, reason: 'It was somebody else.', by: BOSS })
  await takeCheckpoint(contextAt('2021-01-01'), org)
  await appendRecords(contextAt('2026-01-01'), org, { bodies: [CONFIRMED] })
  for (const [months, kept] of [
    [72, [3, 4]],
    [24, [4]],
  ] as const) {
    await changeKeeping(contextAt('2026-02-01'), org, { months, hold: null, showsEffort: false, by: BOSS })
    expect(await sweep(org, '2026-02-01')).toBe(true)
    const places = await listRows<{ seq: number }>(
      env.DB,
      'SELECT seq FROM record_subjects WHERE org_id = ? ORDER BY seq',
      org,
    )
    expect(places.map(({ seq }) => seq)).toEqual(kept)
  }
})

it('sums up a thousand people in a few queries', async () => {
  const due = await seedMany('org_many', 1_000)
  const context = contextAt('2026-02-01')
  expect(await removeRecords(context, due)).toBe(true)
  expect(context.queries()).toBeLessThan(80)
  expect(await seqsOf('org_many')).toEqual([2])
})

it('goes on where the sweep before has ended, also with a later checkpoint', async () => {
  const org = 'org_many_sweeps'
  const due = await seedMany(org, 250)
  for (const day of ['2020-01-02', '2020-01-03']) {
    await changeKeeping(contextAt(day), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
    await takeCheckpoint(contextAt(day), org)
    let pages = 1
    expect(await removeRecords({ ...contextAt('2026-02-01'), hasQueriesLeft: () => pages-- > 0 }, due)).toBe(false)
  }
  const summedUp = 'SELECT count(*) AS pairs FROM person_trainings WHERE org_id = ? AND base_seq > 0'
  expect(await listRows(env.DB, summedUp, org)).toEqual([{ pairs: 200 }])
})

it('tries each of many organizations at some time', async () => {
  const orgs = Array.from({ length: 21 }, (_, index) => `org_due_${index}`)
  for (const org of orgs)
    await changeKeeping(contextAt('2020-01-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  const tried = new Set<string>()
  for (let sweeps = 0; sweeps < 100; sweeps++)
    for (const { orgId } of await listDueRemovals(env.DB, Date.parse('2026-02-01'))) tried.add(orgId)
  await env.DB.prepare("DELETE FROM glossaries WHERE org_id LIKE 'org_due_%'").run()
  expect(orgs.filter((org) => !tried.has(org))).toEqual([])
})

it('removes nothing during a legal hold', async () => {
  const org = 'org_hold'
  await seedOld(org)
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: 'Claim 17', showsEffort: false, by: BOSS })
  expect(await sweep(org, '2026-02-01')).toBeNull()
  expect(await seqsOf(org)).toEqual([1, 2, 3, 4])
})

it('removes nothing of a list that is not that of its checkpoint', async () => {
  const org = 'org_forged'
  await seedOld(org)
  await env.MEDIA.put(`records/${org}/checkpoints/2020-01-01.json`, '', {
    customMetadata: { seq: '2', hash: '0'.repeat(64) },
  })
  await changeKeeping(contextAt('2026-02-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  const lines = await linesOf(() => sweep(org, '2026-02-01'))
  expect(lines).toMatchObject([{ event: 'records_kept', outcome: 'checkpoint_broken' }])
  expect(await seqsOf(org)).toEqual([1, 2, 3, 4])
})

it('continues a list of which every record was removed', async () => {
  const org = 'org_emptied'
  await changeKeeping(contextAt('2020-01-01'), org, { months: 24, hold: null, showsEffort: false, by: BOSS })
  const head = await readHead(env.DB, org)
  await takeCheckpoint(contextAt('2020-01-01'), org)
  await sweep(org, '2026-02-01')
  expect([await seqsOf(org), await readHead(env.DB, org)]).toEqual([[], head])
  const [record] = await appendRecords(contextAt('2026-02-01'), org, { bodies: [ASSIGNED] })
  expect(record).toMatchObject({ seq: 2, previous: head.hash })
})
