import { describe, expect, it } from 'vitest'
import { type AssignmentDraft, EMPTY_ASSIGNMENT, readDraft } from './assignment-draft.ts'

const DRAFT = { ...EMPTY_ASSIGNMENT, subject: { kind: 'training', id: 'm1' } as const, groupIds: ['g1'] }

describe('readDraft', () => {
  it.each<[Partial<AssignmentDraft>, object]>([
    [{}, { due: null, everyMonths: null }],
    [{ countsEarlier: true }, { due: null, everyMonths: null, countsEarlier: true }],
    [
      { dueKind: 'day', day: '2027-03-31', months: '12' },
      { due: { kind: 'day', day: '2027-03-31' }, everyMonths: 12 },
    ],
    [
      { dueKind: 'days', days: '30' },
      { due: { kind: 'days', days: 30 }, everyMonths: null },
    ],
  ])('reads %o', (change, expected) => {
    const { subject, groupIds, rule } = DRAFT
    const usual = { subject, groupIds, personIds: [], rule, countsEarlier: false }
    expect(readDraft({ ...DRAFT, ...change })).toEqual({ ...usual, ...expected })
  })

  it.each<Partial<AssignmentDraft>>([
    { subject: null },
    { groupIds: [] },
    { rule: { reached: false, confirmed: false, signedOff: false } },
    { dueKind: 'day', day: '' },
    { dueKind: 'days', days: '0' },
    { months: 'twelve' },
  ])('reads nothing from %o', (change) => {
    expect(readDraft({ ...DRAFT, ...change })).toBeNull()
  })
})
