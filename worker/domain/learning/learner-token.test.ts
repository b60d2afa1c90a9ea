import { describe, expect, it } from 'vitest'
import { newPersonTraining, type PersonTraining } from '#contract/records/person-training.ts'
import { holderOf, personLearnerId, personOfLearner } from './learner-token.ts'

const ANNA = { orgId: 'org_1', personId: 'anna' }
const RULE = { reached: true, confirmed: false, signedOff: false }
const NEW = newPersonTraining('anna', 'm1')
const DONE: PersonTraining = {
  ...NEW,
  requests: [
    {
      assignment: 'a1',
      rule: RULE,
      assignedAt: '2026-01-01T00:00:00.000Z',
      dueAt: null,
      everyMonths: 12,
    },
  ],
  done: { seq: 7, time: '2026-02-01T00:00:00.000Z', version: { hash: 'a'.repeat(64), number: 1 }, rule: RULE },
}
const SHOWN = { number: 2, timeline: 'abc' }
const idAt = (known: PersonTraining, time: string, shown = SHOWN) =>
  personLearnerId(ANNA, known, { nowMs: Date.parse(time), shown })

describe('a person of an organization', () => {
  it('has seen nothing yet of what is to be done again, and finds the rest as it was', () => {
    const first = idAt(NEW, '2026-01-15T00:00:00.000Z')
    expect(idAt(DONE, '2026-03-01T00:00:00.000Z')).toBe(first)
    const expired = idAt(DONE, '2027-03-01T00:00:00.000Z')
    const askedAt = '2026-02-15T00:00:00.000Z'
    const changed = { ...DONE, retraining: { version: { hash: 'b'.repeat(64), number: 2 }, steps: ['a'], askedAt } }
    const retrained = idAt(changed, '2026-03-01T00:00:00.000Z')
    expect(new Set([first, expired, retrained]).size).toBe(3)
    for (const id of [first, expired, retrained]) expect(personOfLearner(id)).toEqual(ANNA)
    // A page that still shows the version before, and a video with other times.
    expect(idAt(changed, '2026-03-01T00:00:00.000Z', { ...SHOWN, number: 1 })).toBe(first)
    expect(idAt(NEW, '2026-01-15T00:00:00.000Z', { ...SHOWN, timeline: 'def' })).not.toBe(first)
  })

  it('has seen nothing yet of what was assigned again since it was done', () => {
    const reached = { seq: 7, time: '2026-02-01T00:00:00.000Z', version: { hash: 'a'.repeat(64), number: 1 } }
    const [request] = DONE.requests
    const again = {
      ...DONE,
      reached,
      requests: request === undefined ? [] : [{ ...request, since: '2026-05-01T00:00:00.000Z' }],
    }
    const first = idAt({ ...DONE, reached }, '2026-05-02T00:00:00.000Z')
    expect(idAt(again, '2026-05-02T00:00:00.000Z')).not.toBe(first)
    expect(personOfLearner(idAt(again, '2026-05-02T00:00:00.000Z'))).toEqual(ANNA)
  })

  it('has one share of the reports of a day, at all trainings and however often they are done', () => {
    const ids = [idAt(NEW, '2026-01-15T00:00:00.000Z'), idAt(DONE, '2027-03-01T00:00:00.000Z')]
    expect(ids.map(holderOf)).toEqual(['person:org_1:anna', 'person:org_1:anna'])
    expect(holderOf('user:user_1')).toBe('user:user_1')
    expect(holderOf('anyone:abc')).toBeNull()
    expect(personOfLearner('user:user_1')).toBeNull()
  })
})
