import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Doorbell } from '#worker/core/context.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { clearTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { findOpenWork, ringForDue } from './recover.ts'
import type { TaskHandlers } from './task.ts'
import { handlerFor, seedRows, subjectsOf } from './testing/seed-subjects.ts'

const SUBJECT = subjectsOf({ A: 'ann', B: 'ben', gone: 'ben' }, ['A', 'B'])
const NOW_MS = 1_000

beforeEach(clearTasks)

describe('findOpenWork', () => {
  const find = () =>
    findOpenWork(env.DB, { subjectKind: 'module', subjectId: 'A', kinds: ['ingest', 'transcribe'], nowMs: NOW_MS })

  it('finds nothing where all is done, or of other kinds and subjects', async () => {
    await seedRows({ subjectId: 'B', index: 0 }, { subjectId: 'A', index: 0, kind: 'translate' })
    expect(await find()).toEqual({ dueKinds: [], dueCount: 0, nextMs: null })
  })

  it('counts what can be claimed, and finds when the next of the rest can', async () => {
    await seedRows(
      { subjectId: 'A', index: 0, kind: 'ingest', leaseUntil: NOW_MS + 70 },
      { subjectId: 'A', index: 0 },
      { subjectId: 'A', index: 1, leaseUntil: NOW_MS },
      { subjectId: 'A', index: 2, nextAttemptAt: NOW_MS + 90 },
    )
    expect(await find()).toEqual({ dueKinds: ['transcribe'], dueCount: 2, nextMs: NOW_MS + 70 })
    await seedRows({ subjectId: 'A', index: 1, kind: 'ingest' })
    expect(await find()).toMatchObject({ dueKinds: ['ingest', 'transcribe'], dueCount: 3 })
  })
})

describe('ringForDue', () => {
  async function listRung(isWatched = false): Promise<string[]> {
    const rung: Doorbell[] = []
    const queue = { send: async (bell: Doorbell) => void rung.push(bell) } as unknown as Queue
    const queues = { ingest: queue, transcribe: queue, write_steps: queue, translate: queue, notify: queue }
    const handler = handlerFor(SUBJECT, { isWatched })
    const kinds = { ingest: handler, transcribe: handler, write_steps: handler, translate: handler }
    const handlers: TaskHandlers = { ...kinds, notify: handler }
    const count = await ringForDue({ ...openContext(env), queues, nowMs: () => NOW_MS }, handlers)
    expect(count).toBe(rung.length)
    return rung.map(({ kind }) => kind)
  }

  it('rings for kinds of which a task is due, and for one whose worker died', async () => {
    await seedRows(
      { subjectId: 'A', index: 0, kind: 'translate' },
      { subjectId: 'A', index: 0, kind: 'ingest', leaseUntil: NOW_MS - 1 },
      { subjectId: 'A', index: 0, kind: 'transcribe', leaseUntil: NOW_MS + 1 },
      { subjectId: 'A', index: 0, kind: 'write_steps', nextAttemptAt: NOW_MS + 1 },
      { subjectId: 'gone', index: 0, kind: 'write_steps' },
    )
    expect(await listRung()).toEqual(['ingest', 'translate'])
  })

  it('leaves kinds alone whose subjects have a watchdog', async () => {
    await seedRows({ subjectId: 'A', index: 0 })
    expect(await listRung(true)).toEqual([])
    expect(await listRung()).toEqual(['transcribe'])
  })
})
