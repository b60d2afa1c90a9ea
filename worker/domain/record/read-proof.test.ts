import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newPersonTraining } from '#contract/records/person-training.ts'
import { PROOF_ROWS_MAX } from '#contract/records/proof.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import { changePerson } from '#worker/domain/person/write-people.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { meteredD1, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import { appendRecords } from './append-records.ts'
import { correctRecord } from './correct-record.ts'
import { readProof } from './read-proof.ts'
import { seedPerson } from './testing/seed-people.ts'
import { ASSIGNED, CONFIRMED, TRAINING } from './testing/seed-records.ts'

const context = openContext(env)
const RULE = { reached: false, confirmed: true, signedOff: true }

it('has signatures with name, time and words, by person and by training', async () => {
  const org = 'org_proof'
  const anna = await seedPerson(org, { id: 'anna', name: 'Anna Berg' })
  const bo = await seedPerson(org, { id: 'bo', name: 'Bo Lind' })
  const boss = await seedPerson(org, { id: 'boss', name: 'Mara Holm' })
  const { kind: _kind, words: _words, language: _language, ...act } = CONFIRMED
  const photo = 'b'.repeat(64)
  const steps = [
    { id: 'a', note: 'Slowly.' },
    { id: 'b', note: '', photo },
  ]
  const signed = { supervisor: boss, meaning: 'Has shown it.', steps }
  const [, , confirmed, signedOff] = await appendRecords(context, org, {
    bodies: [
      { ...ASSIGNED, rule: RULE, people: [anna, bo] },
      { kind: 'started', ...act, person: bo },
      { ...CONFIRMED, person: anna },
      { kind: 'signed_off', ...act, person: anna, knownBy: 'supervisor', ...signed },
    ],
  })
  const row = {
    person: { id: 'anna', name: 'Anna Berg', number: null },
    training: { id: TRAINING.id, title: null, number: 1, hash: TRAINING.version },
    doneAt: signedOff?.time,
    reached: null,
    confirmed: { time: confirmed?.time, version: 1, name: 'Anna Berg', words: CONFIRMED.words },
    signedOff: {
      time: signedOff?.time,
      version: 1,
      name: 'Mara Holm',
      words: 'Has shown it.',
      seq: 4,
      photos: [{ personId: 'anna', hash: photo }],
      earlier: [],
    },
  }
  // Who has only begun has nothing to show.
  expect(await readProof(context, org, { training: TRAINING.id })).toMatchObject({ rows: [row], isCut: false, seq: 4 })
  expect((await readProof(context, org, { person: 'anna' })).rows).toEqual([row])
  expect((await readProof(context, 'org_proof_other', { person: 'anna' })).rows).toEqual([])
})

it('has the photos of what was shown at earlier visits for the same signature, and of no other', async () => {
  const org = 'org_proof_visits'
  const [anna, boss] = [
    await seedPerson(org, { id: 'anna', name: 'Anna Berg' }),
    await seedPerson(org, { id: 'boss', name: 'Mara Holm' }),
  ]
  const { kind: _kind, words: _words, language: _language, ...act } = CONFIRMED
  const signed = { ...act, person: anna, knownBy: 'supervisor', supervisor: boss, meaning: 'Seen.' } as const
  const photoOf = (id: string, digit: string) => ({ id, note: '', photo: digit.repeat(64) })
  const visit = (shown: string, refused: string, training = TRAINING): RecordBody => ({
    ...signed,
    kind: 'refused',
    training,
    steps: [photoOf('b', refused)],
    shown: [{ id: 'c', note: '' }, photoOf('a', shown)],
  })
  const older = { ...TRAINING, version: 'e'.repeat(64) }
  const [, , , , , wrong] = await appendRecords(context, org, {
    bodies: [
      { ...ASSIGNED, rule: { ...RULE, confirmed: false }, people: [anna] },
      // Of the signature before.
      visit('1', '2'),
      { ...signed, kind: 'signed_off', steps: [photoOf('b', '3')] },
      visit('4', '5', older),
      visit('6', '7'),
      visit('8', '9'),
      { ...signed, kind: 'refused', steps: [photoOf('b', 'a')] },
      { ...signed, kind: 'signed_off', steps: [photoOf('b', 'b')] },
    ],
  })
  await correctRecord(context, org, { seq: wrong?.seq ?? 0, reason: 'It was somebody else.', by: boss })
  // Not by Adapt: what is in the list is still shown.
  await env.DB.prepare(
    "INSERT INTO training_records (org_id, seq, hash, text, kind, created_at) VALUES (?, 99, '', '{', 'corrected', 0)",
  )
    .bind(org)
    .run()
  const readSigned = async () => (await readProof(context, org, { person: 'anna' })).rows[0]?.signedOff
  const signature = { seq: 8, photos: [{ personId: 'anna', hash: 'b'.repeat(64) }] }
  const earlier = [{ seq: 5, photos: [{ personId: 'anna', hash: '6'.repeat(64) }] }]
  expect(await readSigned()).toMatchObject({ ...signature, earlier })
  // Is being removed, with its photos.
  await env.DB.prepare("INSERT INTO glossaries (org_id, words, records_from, updated_at) VALUES (?, '', 6, 1)")
    .bind(org)
    .run()
  expect(await readSigned()).toMatchObject({ ...signature, earlier: [] })
})

it('reads as much, however many records of others came between two visits', async () => {
  const { kind: _kind, words: _words, language: _language, ...act } = CONFIRMED
  const countRows = async (org: string, others: number) => {
    const [anna, bo, boss] = [
      await seedPerson(org, { id: 'anna', name: 'Anna Berg' }),
      await seedPerson(org, { id: 'bo', name: 'Bo Lind' }),
      await seedPerson(org, { id: 'boss', name: 'Mara Holm' }),
    ]
    const signed = { ...act, person: anna, knownBy: 'supervisor', supervisor: boss, meaning: 'Seen.' } as const
    const photographed = { id: 'a', note: '', photo: 'a'.repeat(64) }
    await appendRecords(context, org, {
      bodies: [
        { ...ASSIGNED, rule: { ...RULE, confirmed: false }, people: [anna] },
        { ...signed, kind: 'refused', steps: [{ id: 'b', note: '' }], shown: [photographed] },
        ...Array.from({ length: others }, () => ({ ...act, kind: 'started', person: bo }) as const),
        { ...signed, kind: 'signed_off', steps: [] },
      ],
    })
    const meter = openD1Meter()
    const metered = { ...context, d1: meteredD1(context.d1, () => meter) }
    const [row] = (await readProof(metered, org, { person: 'anna' })).rows
    expect(row?.signedOff?.earlier).toHaveLength(1)
    return meter.rowsRead
  }
  const few = await countRows('org_rows_few', 0)
  expect(await countRows('org_rows_many', 60)).toBeLessThan(few + 10)
})

it('has the version that was done and the name of then, whatever has come after it', async () => {
  const org = 'org_proof_later'
  const bo = await seedPerson(org, { id: 'bo', name: 'Bo Lind' })
  const { words: _words, language: _language, ...act } = CONFIRMED
  const newer = { ...TRAINING, version: 'e'.repeat(64), number: 2 }
  await appendRecords(context, org, {
    bodies: [
      { ...ASSIGNED, people: [bo] },
      { ...CONFIRMED, person: bo },
      { ...act, kind: 'reached', person: bo, training: newer, seconds: [], attempts: 1 },
    ],
  })
  await changePerson(context, org, { id: 'bo', name: 'Anna Berg' })
  const [row] = (await readProof(context, org, { training: TRAINING.id })).rows
  expect(row).toMatchObject({
    person: { name: 'Bo Lind' },
    training: { number: 1, hash: TRAINING.version },
    reached: { version: 2 },
    confirmed: { version: 1, name: 'Bo Lind' },
  })
})

it('says when there is more than one sheet holds', async () => {
  const org = 'org_proof_many'
  const met = { seq: 1, time: '2026-11-30T08:00:00.000Z', version: { hash: TRAINING.version, number: 1 } }
  const known = JSON.stringify({ ...newPersonTraining('', TRAINING.id), reached: met })
  const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${PROOF_ROWS_MAX})`
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO people (org_id, id, name, commitment, names, created_at, updated_at)
       ${rows} SELECT ?1, 'p' || i, format('%04d', ${PROOF_ROWS_MAX} - i + 1), '', '[]', 0, 0 FROM n`,
    ).bind(org),
    env.DB.prepare(
      `INSERT INTO person_trainings (org_id, person_id, module_id, known, seq) ${rows} SELECT ?1, 'p' || i, ?2, ?3, 1 FROM n`,
    ).bind(org, TRAINING.id, known),
  ])
  const { rows: shown, isCut } = await readProof(context, org, { training: TRAINING.id })
  expect([shown.length, shown[0]?.person.name, isCut]).toEqual([PROOF_ROWS_MAX, '0000', true])
})
