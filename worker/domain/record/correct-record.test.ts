import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openContext } from '#worker/entry/open-context.ts'
import { appendRecords } from './append-records.ts'
import { correctRecord } from './correct-record.ts'
import { readKnown } from './record-store.ts'
import { seedPeople } from './testing/seed-people.ts'
import { ANNA, ASSIGNED, BOSS, CONFIRMED, TRAINING } from './testing/seed-records.ts'

const context = openContext(env)
const correct = (org: string, seq: number) => correctRecord(context, org, { seq, reason: 'Not Anna.', by: BOSS })

it('takes back what a record said, once', async () => {
  const org = 'org_correct'
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(context, org, { bodies: [ASSIGNED, CONFIRMED] })
  await correct(org, 2)
  expect(await readKnown(env.DB, org, [{ personId: ANNA.id, moduleId: TRAINING.id }])).toMatchObject([{ done: null }])
  await expect(correct(org, 2)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('refuses a correction, and a record that there is not or that is of another organization', async () => {
  const org = 'org_not_correct'
  await appendRecords(context, org, { bodies: [ASSIGNED, CONFIRMED] })
  await correct(org, 2)
  await expect(correct(org, 3)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(correct(org, 4)).rejects.toMatchObject({ code: 'not_found' })
  await expect(correct('org_not_correct_either', 1)).rejects.toMatchObject({ code: 'not_found' })
})
