import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { listModules } from '#worker/domain/module/module-store.ts'
import { countedEnv, resetTally, tally } from './tally.ts'

// Messages on the real queue would be delivered after the test.
const queue = { send: async () => undefined, sendBatch: async () => undefined } as unknown as Queue
const counted = countedEnv({ ...env, INGEST_QUEUE: queue })

beforeEach(resetTally)

it('counts a statement once, however it is run', async () => {
  const statement = counted.DB.prepare('SELECT ? AS one').bind(1)
  expect(await statement.first()).toEqual({ one: 1 })
  await statement.all()
  await statement.raw()
  await listModules(openDb(counted.DB), { userId: 'user', orgId: null, orgRole: null, orgPermissions: [] })
  expect(tally.d1.statements).toBe(4)
})

it('counts each statement of a batch', async () => {
  const [first] = await counted.DB.batch([counted.DB.prepare('SELECT 1 AS one'), counted.DB.prepare('SELECT 2')])
  expect(first?.results).toEqual([{ one: 1 }])
  const db = openDb(counted.DB)
  await db.batch([db.select().from(modules)])
  expect(tally.d1.statements).toBe(3)
})

it('counts operations on R2', async () => {
  await counted.MEDIA.put('key', 'text')
  expect(await (await counted.MEDIA.get('key'))?.text()).toBe('text')
  expect(tally.r2Operations).toBe(2)
})

it('counts the messages, not the calls that send them', async () => {
  const job = { kind: 'ingest', moduleId: 'none', run: 1 }
  await counted.INGEST_QUEUE.send(job)
  await counted.INGEST_QUEUE.sendBatch([{ body: job }, { body: job }])
  expect(tally.queueMessages).toBe(3)
})
