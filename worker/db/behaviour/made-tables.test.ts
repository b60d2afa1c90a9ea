// Behaviour: the database that a file of tests begins with, against the one that the migrations make.
import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { listMade, makeTables } from '#local/testing/make-tables.ts'

it('has all that the migrations make, and nothing else', async () => {
  await reset()
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  const made = await listMade()
  expect(made.length).toBeGreaterThan(env.TEST_MIGRATIONS.length)
  await reset()
  expect(await listMade()).toEqual([])
  await makeTables()
  expect(await listMade()).toEqual(made)
})
