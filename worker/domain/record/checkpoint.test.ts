import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { removeUnusedSettings } from '#worker/domain/organization/settings-store.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { appendRecords } from './append-records.ts'
import { listCheckpoints, listWithoutCheckpoint, logBrokenLists, takeCheckpoint } from './checkpoint.ts'
import { readKeeping } from './record-keeping.ts'
import { readHead } from './record-store.ts'
import { CONFIRMED } from './testing/seed-records.ts'

const contextAt = (day: string) => ({ d1: env.DB, bucket: env.MEDIA, nowMs: () => Date.parse(`${day}T12:00:00Z`) })
const isDue = async (day: string, org: string) =>
  (await listWithoutCheckpoint(env.DB, contextAt(day).nowMs())).some(({ orgId }) => orgId === org)

it('keeps the end of a list once a day, where there are new records', async () => {
  const org = 'org_checkpoints'
  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  expect(await isDue('2026-11-01', org)).toBe(true)
  const first = await takeCheckpoint(contextAt('2026-11-01'), org)
  expect(first).toEqual({ day: '2026-11-01', ...(await readHead(env.DB, org)) })
  expect([await isDue('2026-11-01', org), await isDue('2026-11-02', org)]).toEqual([false, false])

  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  expect([await isDue('2026-11-01', org), await isDue('2026-11-02', org)]).toEqual([false, true])
  const second = await takeCheckpoint(contextAt('2026-11-02'), org)
  expect(await listCheckpoints(env.MEDIA, org)).toEqual([first, second])
})

it('never changes a checkpoint', async () => {
  const org = 'org_fixed_checkpoint'
  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  const first = await takeCheckpoint(contextAt('2026-11-01'), org)
  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  expect(await takeCheckpoint(contextAt('2026-11-01'), org)).toEqual(first)
  expect(await listCheckpoints(env.MEDIA, org)).toEqual([first])
})

it.each([
  ['has lost its end', 'checkpoint_seq = 2'],
  ['is another one', `checkpoint_hash = '${'0'.repeat(64)}'`],
])('logs a list that %s since its checkpoint', async (_, change) => {
  const org = 'org_broken_list'
  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  await takeCheckpoint(contextAt('2026-11-01'), org)
  expect(await linesOf(() => logBrokenLists(env.DB))).toEqual([])
  await env.DB.prepare(`UPDATE glossaries SET ${change} WHERE org_id = ?`).bind(org).run()
  const lines = await linesOf(() => logBrokenLists(env.DB))
  expect(lines).toMatchObject([{ level: 'error', event: 'records_broken', count: 1 }])
  await env.DB.prepare('DELETE FROM glossaries WHERE org_id = ?').bind(org).run()
})

it('outlasts all else that an organization has set', async () => {
  const org = 'org_lasting_checkpoint'
  await appendRecords(contextAt('2026-11-01'), org, { bodies: [CONFIRMED] })
  const checkpoint = await takeCheckpoint(contextAt('2026-11-01'), org)
  await removeUnusedSettings(env.DB, Date.parse('2030-01-01'))
  expect(await readKeeping(openDb(env.DB), org)).toMatchObject({ checkpoint })
})
