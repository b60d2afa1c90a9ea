import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { wakeBusyTasks } from '#worker/tasks/task-store.ts'
import { MAX_ATTEMPTS, planRetry } from '#worker/tasks/retry.ts'
import { addTask, holdTasks, plantOpenRun } from './testing/plant-tasks.ts'

holdTasks()

afterEach(() => void vi.restoreAllMocks())

/** Seconds between the attempts of a task that fails each time. */
function pausesOf(random: number): number[] {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  return Array.from({ length: MAX_ATTEMPTS - 1 }, (_, attempts) => {
    const next = planRetry({ attempts, busySince: null, admittedAt: 0 }, new Error('lost'), 1_000)
    return ((next?.nextAttemptAt ?? 0) - 1_000) / 1_000
  })
}

describe('a task that fails again and again', () => {
  it('waits twice as long after each failure', () => {
    expect(pausesOf(1)).toEqual([2, 4, 8, 16, 32, 64])
  })

  it('waits up to half as long at random, so that tasks that failed together do not come back together', () => {
    expect(pausesOf(0)).toEqual([1, 2, 4, 8, 16, 32])
  })
})

describe('an answer of a model that was busy', () => {
  const NOW_MS = 1_000_000
  const LATER_MS = NOW_MS + 60_000

  it('ends the pauses of six tasks only, of those that have waited longest', async () => {
    const { moduleId, run } = await plantOpenRun()
    for (let index = 0; index < 10; index++) await addTask({ moduleId, run, index, nextAttemptAt: LATER_MS })
    // The later a task stands in its video, the longer it has waited.
    await env.DB.prepare('UPDATE tasks SET busy_since = 100 - idx WHERE module_id = ?').bind(moduleId).run()
    await wakeBusyTasks(env.DB, 'transcribe', NOW_MS)
    const due = 'SELECT idx FROM tasks WHERE module_id = ? AND next_attempt_at <= ? ORDER BY idx'
    const { results } = await env.DB.prepare(due).bind(moduleId, NOW_MS).all<{ idx: number }>()
    expect(results.map(({ idx }) => idx)).toEqual([4, 5, 6, 7, 8, 9])
  })
})
