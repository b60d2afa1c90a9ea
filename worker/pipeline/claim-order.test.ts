import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { claimTasks, retryTask } from '#worker/tasks/task-store.ts'
import { addTask, holdTasks, plantOpenRun } from './testing/plant-tasks.ts'

holdTasks()

const claim = (limit: number) =>
  claimTasks(env.DB, 'transcribe', { limit, nowMs: 1, bytes: Number.MAX_SAFE_INTEGER, isIdle: true })

async function plantTasks(count: number, userId: string) {
  const id = await plantOpenRun({ userId })
  for (let index = 0; index < count; index++) await addTask({ ...id, index })
  return id
}

describe('claimTasks', () => {
  it('counts all that an owner has in progress, also where the task that is due is earlier in its video', async () => {
    const many = await plantTasks(6, 'user_of_many')
    const [first] = await claim(6)
    if (first === undefined) throw new Error('nothing claimed')
    expect(first).toMatchObject({ moduleId: many.moduleId, index: 0 })
    // It failed, and its next attempt is due while the five behind it are in progress.
    await retryTask(env.DB, first, { attempts: 1, nextAttemptAt: -1, busySince: null })
    const few = await plantTasks(5, 'user_of_few')
    const claimed = await claim(5)
    expect(claimed.map(({ moduleId }) => moduleId)).toEqual(Array.from({ length: 5 }, () => few.moduleId))
  })
})
