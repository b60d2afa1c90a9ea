import { expect, it } from 'vitest'
import { Health } from '#contract/health.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'

it('GET /api/health tells the state of every part under its old and its new name', async () => {
  const health = await answerOf(Health, '/api/health')
  expect(health).toMatchObject({ postgres: 'ok', d1: 'ok', s3: 'ok', r2: 'ok', qstash: 'ok', durableObjects: 'ok' })
})

it('answers an address without anything behind it with a problem', async () => {
  expect((await problemOf('/api/nothing')).code).toBe('not_found')
})
