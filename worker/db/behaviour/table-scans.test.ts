// Behaviour: no query of the product reads a whole table that grows.
import { expect, it } from 'vitest'
import { listScans } from '#local/testing/table-scans.ts'

it('a statement that reads a growing table from end to end is found, and one that an index answers is not', async () => {
  const found = await listScans([
    'SELECT id FROM modules WHERE title = ?1',
    'DELETE FROM quota_uses WHERE amount > ?',
    'SELECT m.id FROM runs r JOIN modules m ON m.id = r.module_id WHERE r.word_count > 1',
    'SELECT count(*) FROM modules',
  ])
  expect(found).toEqual([['modules'], ['quota_uses'], ['runs'], ['modules']])
  const answered = await listScans([
    'SELECT title FROM modules WHERE id = ?1',
    'SELECT id FROM modules ORDER BY created_at DESC, id DESC LIMIT 10',
    'SELECT module_id FROM runs WHERE admitted_at IS NOT NULL AND ended_at IS NULL',
    'SELECT part FROM outcomes',
  ])
  expect(answered).toEqual([[], [], [], []])
})
