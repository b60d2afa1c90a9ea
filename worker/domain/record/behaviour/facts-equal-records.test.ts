// Behaviour: what is known of people and trainings is what their records say, in any order of acts.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { foldRecords } from '#contract/records/person-training.ts'
import { about, body } from '#contract/testing/records.ts'
import { listRows } from '#worker/db/db.ts'
import { appendRecords } from '../append-records.ts'
import { listRecordsOf, readKnown } from '../record-store.ts'
import { seedPeople } from '../testing/seed-people.ts'

const SUBJECTS = ['ann', 'bob'].flatMap((personId) => ['forklift', 'press'].map((moduleId) => ({ personId, moduleId })))
const PEOPLE = ['ann', 'bob'].map((id) => ({ id, name: id }))
const version = fc.integer({ min: 1, max: 3 })
const steps = fc.subarray(['s1', 's2', 's3'], { minLength: 1 })
const assignment = fc.constantFrom('a1', 'a2')
const rule = fc.record({ confirmed: fc.boolean(), signedOff: fc.boolean() })
const ACT = fc.oneof(
  fc.record({ assignment, rule, everyMonths: fc.constantFrom(null, 1) }).map(body.assigned),
  assignment.map(body.unassigned),
  version.map(body.started),
  version.map(body.reached),
  version.map(body.confirmed),
  version.map(body.signedOff),
  fc.tuple(steps, version).map(([of, number]) => body.refused(of, number)),
  fc.tuple(version, fc.option(steps)).map(([number, of]) => body.retraining(number, of)),
)
const RECORD = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(ACT, fc.constantFrom(...SUBJECTS)).map(([of, subject]) => about(of, subject)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }).map(body.corrected) },
)
/** Some acts come in one batch, each batch three weeks after the one before. */
const BATCHES = fc.array(fc.array(RECORD, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 })
const WEEKS_MS = 21 * 86_400_000

it('makes the same of them one by one as all at once, and gives nobody what is of another', async () => {
  await fc.assert(
    fc.asyncProperty(BATCHES, async (batches) => {
      const orgId = `org_${nanoid(8)}`
      await seedPeople(orgId, PEOPLE)
      let nowMs = Date.UTC(2026, 0, 31)
      for (const bodies of batches) {
        await appendRecords({ d1: env.DB, nowMs: () => nowMs }, orgId, { bodies })
        nowMs += WEEKS_MS
      }
      const known = await readKnown(env.DB, orgId, SUBJECTS)
      for (const of of known) {
        const records = await listRecordsOf(env.DB, orgId, of)
        expect(of).toEqual(foldRecords(of, records))
        const people = records.flatMap(({ body: { ...said } }) => ('person' in said ? [said.person.id] : []))
        if (!records.some(({ body: said }) => said.kind === 'corrected'))
          expect(people.every((id) => id === of.personId)).toBe(true)
      }
      const stored = await listRows<{ records: number }>(
        env.DB,
        'SELECT count(*) AS records FROM training_records WHERE org_id = ?',
        orgId,
      )
      expect(stored).toEqual([{ records: batches.flat().length }])
    }),
    { numRuns: 12 },
  )
})
