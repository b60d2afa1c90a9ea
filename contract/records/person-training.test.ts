import fc from 'fast-check'
import { expect, it } from 'vitest'
import { body, hashOf, listRecords, SUBJECT } from '../testing/records.ts'
import { addMonths, foldRecords, PersonTraining } from './person-training.ts'
import type { RecordBody, TrainingRecord } from './training-record.ts'
import { stateOf } from './training-state.ts'

const { assigned, unassigned, started, reached, confirmed, signedOff, refused, retraining, corrected } = body
const at = (day: string) => `${day}T12:00:00.000Z`
const START_MS = Date.UTC(2026, 0, 31)
/** One act each 25 days, so that some completions expire. */
const dayOf = (index: number) => new Date(START_MS + index * 25 * 86_400_000).toISOString()
const list = (bodies: readonly RecordBody[]) => listRecords(bodies.map((of, index) => [dayOf(index), of] as const))
const fold = (bodies: readonly RecordBody[]) => foldRecords(SUBJECT, list(bodies))

it('keeps what was met of a newer version when an older one arrives late', () => {
  const known = fold([assigned(), reached(2), reached(1)])
  expect(known.done?.version.number).toBe(2)
})

it('asks for the first version again of somebody who has done none, and of nobody who has done it', () => {
  expect(fold([assigned(), retraining(1, null)]).retraining?.version.number).toBe(1)
  expect(fold([assigned(), reached(1), retraining(1, null)]).retraining).toBeNull()
})

it('reads what a later release knows, without what that knows besides', () => {
  const known = fold([assigned(), reached(), retraining(2, ['s1'])])
  const later = {
    ...known,
    requests: known.requests.map((request) => ({ ...request, place: 'Hall 2' })),
    done: { ...known.done, place: 'Hall 2' },
    retraining: { ...known.retraining, place: 'Hall 2' },
    place: 'Hall 2',
  }
  expect(PersonTraining.parse(later)).toEqual(known)
})

it('forgets a correction that was itself corrected', () => {
  const bodies = [assigned(), reached(), corrected(2)]
  expect(fold(bodies).done).toBeNull()
  expect(fold([...bodies, corrected(3)]).done?.seq).toBe(2)
})

it.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-03-15', 120, '2036-03-15'],
])('counts from %s %i months to %s', (from, months, to) => {
  expect(new Date(addMonths(Date.parse(at(from)), months)).toISOString()).toBe(at(to))
})

const version = fc.integer({ min: 1, max: 3 })
const steps = fc.subarray(['s1', 's2', 's3'], { minLength: 1 })
const assignment = fc.constantFrom('a1', 'a2')
const BODY = fc.oneof(
  fc
    .record({
      assignment,
      rule: fc.record({ confirmed: fc.boolean(), signedOff: fc.boolean() }),
      everyMonths: fc.constantFrom(null, 1, 3),
      since: fc.option(fc.integer({ min: 0, max: 30 }).map(dayOf), { nil: undefined }),
    })
    .map(({ since, ...of }) => assigned({ ...of, ...(since !== undefined && { since }) })),
  assignment.map(unassigned),
  version.map(started),
  version.map(reached),
  version.map(confirmed),
  version.map(signedOff),
  fc.tuple(steps, version).map(([of, number]) => refused(of, number)),
  fc.tuple(version, fc.option(steps)).map(([number, of]) => retraining(number, of)),
  fc.integer({ min: 1, max: 30 }).map(corrected),
)
const KIND_OF = { reached: 'reached', confirmed: 'confirmed', signedOff: 'signed_off' } as const

/** What holds whatever has come in which order. */
function expectTrue(known: PersonTraining, valid: readonly TrainingRecord[]): void {
  const names = known.requests.map(({ assignment }) => assignment)
  expect(new Set(names).size).toBe(names.length)
  if (known.done === null) return
  const { seq, time, rule } = known.done
  expect(valid.find((record) => record.seq === seq)).toMatchObject({ time })
  for (const part of ['reached', 'confirmed', 'signedOff'] as const) {
    const proof = valid.filter(
      ({ body: of }) => of.kind === KIND_OF[part] && of.training.version === known.done?.version.hash,
    )
    if (rule[part]) expect(proof.some((record) => record.seq <= seq)).toBe(true)
    expect(known[part] === null || known[part].version.hash === hashOf(known[part].version.number)).toBe(true)
  }
}

it('takes nothing for done that was done before an assignment was made, in any order of acts', () => {
  fc.assert(
    fc.property(fc.array(BODY, { maxLength: 30 }), fc.integer({ min: 0, max: 30 }), (bodies, day) => {
      const since = dayOf(day)
      const known = foldRecords(SUBJECT, list([...bodies, assigned({ assignment: 'a3', since })]))
      if (stateOf(known, { nowMs: Date.parse(dayOf(bodies.length + 1)), publishedHash: null }) !== 'done') return
      expect(Date.parse(known.done?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(since))
    }),
  )
})

it('takes nothing for done without a record of each part for that version, in any order of acts', () => {
  fc.assert(
    fc.property(fc.array(BODY, { maxLength: 30 }), (bodies) => {
      const records = list(bodies)
      const dead = new Set<number>()
      for (const { seq, body: of } of records.toReversed())
        if (of.kind === 'corrected' && !dead.has(seq)) dead.add(of.of.seq)
      expectTrue(
        foldRecords(SUBJECT, records),
        records.filter(({ seq }) => !dead.has(seq)),
      )
    }),
  )
})
