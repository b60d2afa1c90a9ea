import { expect, it } from 'vitest'
import { TrainingRecord } from './training-record.ts'

const DIGEST = 'a'.repeat(64)

/** A record as a release has written it in which steps had a place for a photo. */
const EARLIER = {
  format: 'adapt-record-1',
  organization: 'org',
  seq: 3,
  previous: DIGEST,
  time: '2026-11-20T09:00:00.000Z',
  body: {
    kind: 'signed_off',
    person: { id: 'anna', commitment: DIGEST },
    knownBy: 'supervisor',
    training: { id: 'forklift', version: DIGEST, number: 1 },
    deviceTime: null,
    wasOffline: false,
    supervisor: { id: 'boss', commitment: DIGEST },
    meaning: 'It was shown to me.',
    steps: [{ id: 's1', note: '', photo: null }],
  },
}

it.each(['signed_off', 'refused'])('reads %s of a release whose steps had a photo, as it was hashed', (kind) => {
  const record = { ...EARLIER, body: { ...EARLIER.body, kind } }
  expect(TrainingRecord.parse(record)).toEqual(record)
})

it('reads judged steps without a photo, and refuses a field that no release has written', () => {
  const of = (step: object) => ({ ...EARLIER, body: { ...EARLIER.body, steps: [step] } })
  expect(TrainingRecord.safeParse(of({ id: 's1', note: '' })).success).toBe(true)
  expect(TrainingRecord.safeParse(of({ id: 's1', note: '', video: null })).success).toBe(false)
})
