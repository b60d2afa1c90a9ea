import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openContext } from '#worker/entry/open-context.ts'
import { appendRecords } from './append-records.ts'
import { readProof } from './read-proof.ts'
import { ASSIGNED, CONFIRMED, seedPerson, TRAINING } from './testing/seed-records.ts'

const context = openContext(env)
const RULE = { reached: false, confirmed: true, signedOff: true }

it('has signatures with name, time and words, by person and by training', async () => {
  const org = 'org_proof'
  const anna = await seedPerson(org, { id: 'anna', name: 'Anna Berg' })
  const bo = await seedPerson(org, { id: 'bo', name: 'Bo Lind' })
  const boss = await seedPerson(org, { id: 'boss', name: 'Mara Holm' })
  const { kind: _kind, words: _words, language: _language, ...act } = CONFIRMED
  const signed = { supervisor: boss, meaning: 'Has shown it.', steps: [] }
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
    reachedAt: null,
    confirmed: { time: confirmed?.time, name: 'Anna Berg', words: CONFIRMED.words },
    signedOff: { time: signedOff?.time, name: 'Mara Holm', words: 'Has shown it.' },
  }
  // Who has only begun has nothing to show.
  expect(await readProof(context, org, { training: TRAINING.id })).toMatchObject({ rows: [row], seq: 4 })
  expect((await readProof(context, org, { person: 'anna' })).rows).toEqual([row])
  expect((await readProof(context, 'org_proof_other', { person: 'anna' })).rows).toEqual([])
})
