import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { readZip } from '#records/read-zip.ts'
import { countD1, openDb } from '#worker/db/db.ts'
import { exportRecords } from './export-records.ts'

/** Adds rows, of which the export minds only the text. */
async function seedRows(orgId: string, count: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO training_records (org_id, seq, hash, text, kind, created_at)
     WITH RECURSIVE numbers (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?2)
     SELECT ?1, seq, ?3, '{"words":"Understood"}', 'confirmed', 0 FROM numbers`,
  )
    .bind(orgId, count, '0'.repeat(64))
    .run()
}

it('reads thousands of records in a few queries', async () => {
  await seedRows('org_export_many', 12_000)
  const { d1, queries } = countD1(env.DB)
  const context = { d1, db: openDb(d1), bucket: env.MEDIA, nowMs: () => 0 }
  const zip = await new Response(await exportRecords(context, { orgId: 'org_export_many', verifyPage: '' })).blob()
  const lines = (await (await readZip(zip)).get('records.jsonl')?.text())?.split('\n') ?? []
  expect(lines).toHaveLength(12_001)
  expect(queries()).toBeLessThan(20)
})
