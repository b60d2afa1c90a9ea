import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { CONFIRMED } from '#worker/domain/record/testing/seed-records.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { meteredD1, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import { findRecipient } from './reminder-store.ts'

const context = openContext(env)

it('finds the language of a recipient in their own records, however many others there are', async () => {
  const countRows = async (orgId: string, others: number) => {
    const [anna = CONFIRMED.person, bo = CONFIRMED.person] = await seedPeople(orgId, [
      { id: 'anna', name: 'Anna Berg' },
      { id: 'bo', name: 'Bo Lind' },
    ])
    await env.DB.prepare("UPDATE people SET email = 'anna@example.com' WHERE org_id = ? AND id = 'anna'")
      .bind(orgId)
      .run()
    await appendRecords(context, orgId, {
      bodies: [
        { ...CONFIRMED, person: anna, language: 'de' },
        ...Array.from({ length: others }, () => ({ ...CONFIRMED, person: bo })),
      ],
    })
    const meter = openD1Meter()
    const d1 = meteredD1(context.d1, () => meter)
    expect(await findRecipient(d1, orgId, 'anna')).toEqual({
      name: 'Anna Berg',
      email: 'anna@example.com',
      language: 'de',
    })
    return meter.rowsRead
  }
  const few = await countRows('org_recipient_few', 0)
  expect(await countRows('org_recipient_many', 60)).toBeLessThan(few + 10)
})
