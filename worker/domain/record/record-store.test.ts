import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newPersonTraining } from '#contract/records/person-training.ts'
import { insertRows } from './record-store.ts'

it('writes facts in parts that D1 takes as one value', () => {
  const request = { rule: { reached: true, confirmed: true, signedOff: true }, dueAt: null, everyMonths: null }
  const requests = Array.from({ length: 900 }, (_, index) => {
    return { ...request, assignment: `a${index}`, assignedAt: '2026-01-01T00:00:00.000Z' }
  })
  const known = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map((id) => ({
    ...newPersonTraining(id, 'm1'),
    requests,
    seq: 1,
  }))
  const countStatements = (of: typeof known) => insertRows(env.DB, 'org', { rows: [], known: of, nowMs: 0 }).length
  expect([countStatements(known.slice(0, 1)), countStatements(known)]).toEqual([1, 2])
})
