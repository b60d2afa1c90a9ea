import { DrizzleQueryError } from 'drizzle-orm'
import type { Context } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'
import { answerProblem } from './problem.ts'

const context = { var: { requestId: 'r1' } } as unknown as Context<AppEnv>

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

  it('logs a bug whole and keeps its message to itself', async () => {
    const log = vi.spyOn(console, 'error').mockImplementationOnce(() => undefined)
    const { problem } = await answer(new Error('secret detail'))
    expect(problem.code).toBe('internal')
    expect(JSON.stringify(problem)).not.toContain('secret')
    expect(JSON.stringify(log.mock.calls)).toContain('secret detail')
    log.mockClear()
  })

  it('asks to come back when the database is away for a moment', async () => {
    const lost = new DrizzleQueryError('select 1', [], new Error('D1_ERROR: Network connection lost.'))
    const { problem, headers } = await answer(lost)
    expect(problem).toMatchObject({ status: 503, code: 'unavailable' })
    expect(headers.get('retry-after')).toBe('5')
  })
})
