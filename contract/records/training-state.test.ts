import { describe, expect, it } from 'vitest'
import { body, hashOf, listRecords, SUBJECT } from '../testing/records.ts'
import { expiryOf, foldRecords } from './person-training.ts'
import type { RecordBody } from './training-record.ts'
import {
  askedStepsOf,
  dateIn,
  isMetFor,
  listAskedSteps,
  nextDateOf,
  stateOf,
  type TrainingState,
  timelineOf,
} from './training-state.ts'

type Line = readonly [day: string, body: RecordBody]
const at = (day: string) => `${day}T12:00:00.000Z`
const fold = (lines: readonly Line[]) =>
  foldRecords(SUBJECT, listRecords(lines.map(([day, of]) => [at(day), of] as const)))
const stateAt = (lines: readonly Line[], { day, version = 1 }: { day: string; version?: number }) =>
  stateOf(fold(lines), { nowMs: Date.parse(at(day)), publishedHash: hashOf(version) })

const { assigned, unassigned, started, reached, confirmed, signedOff, refused, retraining } = body
const MARCH = at('2026-03-01')
const DATED: Line = ['2026-01-01', assigned({ dueAt: MARCH })]
const SIGNED: Line = ['2026-01-01', assigned({ dueAt: MARCH, rule: { signedOff: true } })]
const YEARLY: Line = ['2025-01-01', assigned({ everyMonths: 12 })]
const BOTH_YEARLY: Line = ['2025-01-01', assigned({ everyMonths: 12, rule: { confirmed: true } })]
const DONE: Line = ['2026-01-05', reached()]
/** Made on the first of May, as a second assignment. */
const MAY = at('2026-05-01')
const AGAIN: Line = ['2026-05-01', assigned({ assignment: 'a2', since: MAY })]
const AGAIN_BOTH: Line = ['2026-05-01', assigned({ assignment: 'a2', since: MAY, rule: { confirmed: true } })]

const TABLE: [what: string, lines: Line[], now: { day: string; version?: number }, state: TrainingState][] = [
  ['nothing', [], { day: '2026-01-02' }, 'not_assigned'],
  ['an assignment that was taken back', [DATED, ['2026-01-02', unassigned()]], { day: '2026-04-01' }, 'not_assigned'],
  ['done, then taken back', [DATED, DONE, ['2026-01-09', unassigned()]], { day: '2026-01-10' }, 'not_assigned'],
  ['assigned', [DATED], { day: '2026-01-02' }, 'assigned'],
  ['begun', [DATED, ['2026-01-02', started()]], { day: '2026-01-03' }, 'in_progress'],
  ['one part of two', [SIGNED, DONE], { day: '2026-01-06' }, 'in_progress'],
  ['15 days before its date', [DATED], { day: '2026-02-14' }, 'assigned'],
  ['14 days before its date', [DATED], { day: '2026-02-15' }, 'due'],
  ['due over in progress', [DATED, ['2026-01-02', started()]], { day: '2026-02-20' }, 'due'],
  ['its last moment', [DATED], { day: '2026-03-01' }, 'due'],
  ['overdue', [DATED], { day: '2026-03-02' }, 'overdue'],
  [
    'one of two assignments done before its date',
    [DATED, ['2026-01-01', assigned({ assignment: 'a2', dueAt: at('2026-06-01'), rule: { signedOff: true } })], DONE],
    { day: '2026-03-02' },
    'in_progress',
  ],
  ['overdue over in progress', [DATED, ['2026-01-02', started()]], { day: '2026-03-02' }, 'overdue'],
  ['done in time', [DATED, DONE], { day: '2026-04-01' }, 'done'],
  ['done too late', [DATED, ['2026-03-20', reached()]], { day: '2026-04-01' }, 'done'],
  ['refused over in progress', [SIGNED, DONE, ['2026-01-06', refused(['s1'])]], { day: '2026-01-07' }, 'refused'],
  ['refused over due', [SIGNED, DONE, ['2026-01-06', refused(['s1'])]], { day: '2026-02-20' }, 'refused'],
  ['overdue over refused', [SIGNED, DONE, ['2026-01-06', refused(['s1'])]], { day: '2026-03-02' }, 'overdue'],
  [
    'refused after it was done in time',
    [SIGNED, DONE, ['2026-01-06', signedOff()], ['2026-03-05', refused(['s1'])]],
    { day: '2026-03-06' },
    'refused',
  ],
  ['signed off', [SIGNED, DONE, ['2026-01-06', signedOff()]], { day: '2026-03-02' }, 'done'],
  ['done before another version', [DATED, DONE], { day: '2026-01-06', version: 2 }, 'done_older'],
  ['asked again', [DATED, DONE, ['2026-01-07', retraining(2, ['s2'])]], { day: '2026-01-08', version: 2 }, 'assigned'],
  [
    'asked again is not late by a date that was kept',
    [DATED, DONE, ['2026-03-07', retraining(2, ['s2'])]],
    { day: '2026-03-08', version: 2 },
    'assigned',
  ],
  [
    'asked again before its date',
    [DATED, DONE, ['2026-02-01', retraining(2, ['s2'])]],
    { day: '2026-03-02', version: 2 },
    'overdue',
  ],
  [
    'asked again, and done',
    [DATED, DONE, ['2026-01-07', retraining(2, ['s2'])], ['2026-01-09', reached(2)]],
    { day: '2026-01-10', version: 2 },
    'done',
  ],
  [
    'asked again, and only reached where it is signed off',
    [SIGNED, DONE, ['2026-01-06', signedOff()], ['2026-01-07', retraining(2, ['s2'])], ['2026-01-09', reached(2)]],
    { day: '2026-01-10', version: 2 },
    'in_progress',
  ],
  [
    'signed off for a version that was not reached',
    [SIGNED, DONE, ['2026-01-06', signedOff(2)]],
    { day: '2026-01-07', version: 2 },
    'in_progress',
  ],
  ['valid', [YEARLY, ['2025-01-05', reached()]], { day: '2025-12-20' }, 'done'],
  ['14 days before it expires', [YEARLY, ['2025-01-05', reached()]], { day: '2025-12-22' }, 'due'],
  ['the day on which it expires', [YEARLY, ['2025-01-05', reached()]], { day: '2026-01-05' }, 'due'],
  ['expired', [YEARLY, ['2025-01-05', reached()]], { day: '2026-01-06' }, 'expired'],
  [
    'expired over done in an older version',
    [YEARLY, ['2025-01-05', reached()]],
    { day: '2026-01-06', version: 2 },
    'expired',
  ],
  [
    'expired, whatever a second assignment asks for besides',
    [YEARLY, ['2025-01-05', reached()], ['2025-06-01', assigned({ assignment: 'a2', rule: { signedOff: true } })]],
    { day: '2026-01-06' },
    'expired',
  ],
  [
    'overdue over expired',
    [YEARLY, ['2025-01-05', reached()], ['2026-01-10', assigned({ assignment: 'a2', dueAt: MARCH })]],
    { day: '2026-03-02' },
    'overdue',
  ],
  ['renewed', [YEARLY, ['2025-01-05', reached()], ['2026-01-06', reached()]], { day: '2026-12-01' }, 'done'],
  ['renewed early', [YEARLY, ['2025-01-05', reached()], ['2025-10-01', reached()]], { day: '2026-09-01' }, 'done'],
  [
    'one part of two renewed',
    [BOTH_YEARLY, ['2025-01-05', reached()], ['2025-01-05', confirmed()], ['2026-01-06', confirmed()]],
    { day: '2026-01-07' },
    'expired',
  ],
  [
    'a part that was met again long before it expired',
    [
      BOTH_YEARLY,
      ['2025-01-05', reached()],
      ['2025-01-05', confirmed()],
      ['2025-02-01', reached()],
      ['2026-01-06', confirmed()],
    ],
    { day: '2026-01-07' },
    'expired',
  ],
  [
    'both parts renewed around the day on which it expires',
    [
      BOTH_YEARLY,
      ['2025-01-05', reached()],
      ['2025-01-05', confirmed()],
      ['2026-01-04', reached()],
      ['2026-01-06', confirmed()],
    ],
    { day: '2026-01-07' },
    'done',
  ],
  [
    'another assignment that asks for more',
    [DATED, DONE, ['2026-01-06', assigned({ assignment: 'a2', rule: { signedOff: true } })]],
    { day: '2026-03-02' },
    'in_progress',
  ],
  [
    'the part of a second assignment that was met before it',
    [
      DATED,
      DONE,
      ['2026-01-06', confirmed()],
      ['2026-01-07', assigned({ assignment: 'a2', rule: { confirmed: true } })],
    ],
    { day: '2026-01-08' },
    'done',
  ],
  ['assigned again after it was done', [DATED, DONE, AGAIN], { day: '2026-05-02' }, 'assigned'],
  [
    'assigned again years after the assignment by which it was done was taken back',
    [DATED, DONE, ['2026-01-09', unassigned()], AGAIN],
    { day: '2026-05-02' },
    'assigned',
  ],
  [
    'assigned again with a date, and opened before it',
    [
      DATED,
      ['2026-01-02', started()],
      DONE,
      ['2026-05-01', assigned({ assignment: 'a2', since: MAY, dueAt: at('2026-06-01') })],
    ],
    { day: '2026-06-02' },
    'overdue',
  ],
  ['assigned again and opened', [DATED, DONE, AGAIN, ['2026-05-02', started()]], { day: '2026-05-03' }, 'in_progress'],
  ['assigned again and done', [DATED, DONE, AGAIN, ['2026-05-02', reached()]], { day: '2026-05-03' }, 'done'],
  [
    'assigned again, then only by the assignment by which it was done',
    [DATED, DONE, AGAIN, ['2026-05-02', unassigned('a2')]],
    { day: '2026-05-03' },
    'done',
  ],
  [
    'assigned again, and one part of two met since',
    [DATED, DONE, ['2026-01-05', confirmed()], AGAIN_BOTH, ['2026-05-02', confirmed()]],
    { day: '2026-05-03' },
    'in_progress',
  ],
  [
    'done after an assignment was made and before the person came into its group',
    [DATED, ['2026-05-02', reached()], ['2026-05-04', assigned({ assignment: 'a2', since: MAY })]],
    { day: '2026-05-05' },
    'done',
  ],
  [
    'what a second assignment asks for again, where the first asks for more',
    [BOTH_YEARLY, ['2026-01-05', reached()], ['2026-01-06', confirmed()], AGAIN, ['2026-05-02', reached()]],
    { day: '2026-05-03' },
    'done',
  ],
  [
    'the assignment that asked for more was taken back',
    [
      DATED,
      ['2026-01-02', assigned({ assignment: 'a2', rule: { signedOff: true } })],
      DONE,
      ['2026-01-06', unassigned('a2')],
    ],
    { day: '2026-01-08' },
    'done',
  ],
]

it.each(TABLE)('says of %s', (_, lines, now, state) => {
  expect(stateAt(lines, now)).toBe(state)
})

it.each(TABLE.filter(([, , , state]) => state !== 'done_older'))(
  'has %s in its course of time',
  (_, lines, { day }, state) => {
    const course = timelineOf(fold(lines))
    expect(course.findLast(([fromMs]) => fromMs <= Date.parse(at(day)))?.[1]).toBe(state)
    expect(course[0]?.[0]).toBe(0)
  },
)

it.each(TABLE.filter(([, , , state]) => state !== 'expired'))('has the date of %s in it', (_, lines, { day }) => {
  const [known, nowMs] = [fold(lines), Date.parse(at(day))]
  expect(dateIn(timelineOf(known), nowMs)).toBe(known.requests.length === 0 ? null : nextDateOf(known, nowMs))
})

it('takes any version for done where learners see the draft', () => {
  expect(stateOf(fold([DATED, DONE]), { nowMs: Date.parse(at('2026-01-06')), publishedHash: null })).toBe('done')
})

describe('after a refusal', () => {
  const lines: Line[] = [SIGNED, DONE, ['2026-01-06', signedOff()], ['2026-02-05', refused(['s2', 's3'])]]

  it('asks for exactly the refused steps', () => {
    expect(askedStepsOf(fold(lines), Date.parse(at('2026-02-06')))).toEqual(['s2', 's3'])
  })

  it('asks for the same where nothing but a sign-off is asked for', () => {
    const rule = { reached: false, signedOff: true }
    const known = fold([
      ['2026-01-01', assigned({ rule })],
      ['2026-01-06', refused(['s2'])],
    ])
    expect(askedStepsOf(known, Date.parse(at('2026-01-07')))).toEqual(['s2'])
  })

  it('is done by another sign-off, at its time', () => {
    const known = fold([...lines, ['2026-02-09', signedOff()]])
    expect(known.done).toMatchObject({ seq: 5, time: at('2026-02-09') })
    expect(askedStepsOf(known, Date.parse(at('2026-02-10')))).toEqual([])
  })

  it('holds until a supervisor signs, whatever the learner does', () => {
    const now = { day: '2026-02-10' }
    expect(stateAt([...lines, ['2026-02-09', reached()], ['2026-02-09', confirmed()]], now)).toBe('refused')
  })
})

describe('a part that was met', () => {
  const known = fold([YEARLY, ['2025-01-05', reached()]])
  const isMet = (day: string, version = 1) =>
    isMetFor(known, 'reached', { hash: hashOf(version), nowMs: Date.parse(at(day)) })

  it('counts for its version alone, until it can be renewed', () => {
    expect([isMet('2025-12-21'), isMet('2025-12-22'), isMet('2025-06-01', 2)]).toEqual([true, false, false])
    expect(askedStepsOf(known, Date.parse(at('2025-12-22')))).toBeNull()
  })

  it('renews it from 14 days before it expires', () => {
    const lines: Line[] = [YEARLY, ['2025-01-05', reached()], ['2025-12-23', reached()]]
    expect(stateAt(lines, { day: '2026-01-06' })).toBe('done')
  })
})

it('asks for all steps of a version where nothing of it is asked for in particular', () => {
  const now = Date.parse(at('2026-03-01'))
  const again = fold([DATED, DONE, ['2026-01-07', retraining(2, ['s2', 's9'])]])
  expect(listAskedSteps(again, ['s1', 's2'], now)).toEqual(['s2'])
  expect(listAskedSteps(fold([DATED, DONE]), ['s1', 's2'], now)).toEqual(['s1', 's2'])
})

describe('the steps that are asked for', () => {
  const now = Date.parse(at('2026-03-01'))
  const again: Line = ['2026-01-07', retraining(2, ['s2'])]

  it('are all before it was done, and all once it has expired', () => {
    expect(askedStepsOf(fold([DATED]), now)).toBeNull()
    expect(askedStepsOf(fold([YEARLY, ['2025-01-05', reached()]]), now)).toBeNull()
  })

  it('are all where it was assigned again since, whatever a version asks for', () => {
    const assignedAgain = fold([
      DATED,
      DONE,
      again,
      ['2026-01-08', assigned({ assignment: 'a2', since: at('2026-01-08') })],
    ])
    expect(askedStepsOf(assignedAgain, now)).toBeNull()
    expect(isMetFor(assignedAgain, 'reached', { hash: hashOf(1), nowMs: now })).toBe(false)
  })

  it('are those of the newest version that asks, until they were reached in it', () => {
    expect(askedStepsOf(fold([DATED, DONE, again]), now)).toEqual(['s2'])
    expect(askedStepsOf(fold([DATED, DONE, again, ['2026-01-08', retraining(3, ['s2', 's4'])]]), now)).toEqual([
      's2',
      's4',
    ])
    expect(askedStepsOf(fold([DATED, DONE, again, ['2026-01-08', reached(1)]]), now)).toEqual(['s2'])
    expect(askedStepsOf(fold([DATED, DONE, again, ['2026-01-08', reached(2)]]), now)).toEqual([])
  })

  it('are none for somebody who was quicker than the list of those who are asked', () => {
    expect(askedStepsOf(fold([DATED, DONE, ['2026-01-06', reached(2)], again]), now)).toEqual([])
  })
})

it('says until when, by the assignment that asks for it soonest', () => {
  const lines: Line[] = [
    YEARLY,
    ['2025-01-02', assigned({ assignment: 'a2', everyMonths: 6 })],
    ['2025-01-05', reached()],
  ]
  const known = fold(lines)
  expect(expiryOf(known)).toBe(Date.parse(at('2025-07-05')))
  expect(nextDateOf(known, Date.parse(at('2025-02-01')))).toBe(Date.parse(at('2025-07-05')))
  expect(nextDateOf(fold([DATED]), Date.parse(at('2026-01-02')))).toBe(Date.parse(MARCH))
})
