import { DrizzleQueryError } from 'drizzle-orm'
import type { Context } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { AppError } from '#worker/core/errors.ts'
import type { AppEnv } from './app-env.ts'
import { answerProblem } from './problem.ts'

const set = vi.fn()
const context = { var: { requestId: 'r1' }, set } as unknown as Context<AppEnv>

async function answer(error: unknown): Promise<{ problem: Problem; headers: Headers }> {
  const response = answerProblem(error, context)
  const problem = Problem.parse(await response.json())
  expect(response.status).toBe(problem.status)
  return { problem, headers: response.headers }
}

describe('answerProblem', () => {
  it('answers an expected failure with its own words', async () => {
    const { problem, headers } = await answer(new AppError('rate_limited', 'Slow down.', { retryAfterS: 7 }))
    expect(problem).toMatchObject({ status: 429, code: 'rate_limited', detail: 'Slow down.', error: 'Slow down.' })
    expect(headers.get('retry-after')).toBe('7')
  })

  it('keeps what a bug says for the log', { tags: 'threat-17' }, async () => {
    const { problem } = await answer(new Error('secret detail'))
    expect(problem.code).toBe('internal')
    expect(JSON.stringify(problem)).not.toContain('secret')
    expect(set).toHaveBeenLastCalledWith('fault', {
      code: 'internal',
      cause: expect.stringContaining('secret detail'),
    })
  })

  it.each([
    'Network connection lost.',
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    'D1 DB reset because its code was updated.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'D1 DB is overloaded. Requests queued for too long.',
    'D1 DB is overloaded. Too many requests queued.',
  ])('asks to come back when the database says "%s"', { tags: 'fault-36' }, async (text) => {
    const plain = new Error(`D1_ERROR: ${text}`)
    for (const error of [plain, new DrizzleQueryError('select 1', [], plain)]) {
      const { problem, headers } = await answer(error)
      expect(problem).toMatchObject({ status: 503, code: 'unavailable' })
      expect(headers.get('retry-after')).toBe('5')
    }
  })

  it('takes a broken query for a bug, whatever it was asked with', async () => {
    const said = ['D1_ERROR: Network connection lost.']
    const broken = new DrizzleQueryError('select 1', said, new Error('D1_ERROR: no such column: x: SQLITE_ERROR'))
    expect((await answer(broken)).problem.code).toBe('internal')
  })

  it('adds the extensions of an error beside its text, but never overwrites the other fields', async () => {
    const extensions = { version: 3, code: 'other', success: true }
    const { problem } = await answer(new AppError('version_conflict', 'Too late.', { extensions }))
    expect(problem).toMatchObject({ code: 'version_conflict', success: false })
  })
})
