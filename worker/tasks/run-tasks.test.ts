import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { clearTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { claimTasks } from './claim-tasks.ts'
import { MAX_ATTEMPTS } from './retry.ts'
import { runTasks } from './run-tasks.ts'
import type { Task, TaskHandler } from './task.ts'
import { LEASE_MS, settleTask } from './task-store.ts'
import { handlerFor, listTaskRows, seedRows, subjectsOf } from './testing/seed-subjects.ts'

const SUBJECT = subjectsOf({ A: 'ann', B: 'ben' })
const DB = openDb(env.DB)

beforeEach(clearTasks)

/** Claims all tasks and runs them in one invocation, as a handler does that the test makes. */
async function runAll(handler: Partial<TaskHandler>, { attempts = 0, subject = SUBJECT } = {}): Promise<void> {
  const claimed = await claimTasks(env.DB, {
    kind: 'transcribe',
    subject,
    limit: 6,
    bytes: Number.MAX_SAFE_INTEGER,
    isIdle: true,
    nowMs: Date.now(),
  })
  const { deps } = openDriver()
  const made = handlerFor(subject, handler)
  const handlers = { ingest: made, transcribe: made, write_steps: made, translate: made, notify: made }
  await runTasks(
    claimed.map((task) => ({ ...task, attempts })),
    deps,
    handlers,
  )
}

const settle = async (task: Task) => void (await settleTask(DB, task))
const listStates = async () => (await listTaskRows()).map(({ name, state, attempts }) => [name, state, attempts])

describe('runTasks', () => {
  it('settles each task by itself: one that fails is tried again, and leaves the others alone', async () => {
    await seedRows({ subjectId: 'A', index: 0 }, { subjectId: 'A', index: 1 }, { subjectId: 'B', index: 0 })
    const run = async (task: Task) => {
      if (task.index === 1) throw new Error('lost')
      await settle(task)
    }
    await runAll({ run })
    expect(await listStates()).toEqual([
      ['A 0', 'done', 0],
      ['A 1', 'ready', 1],
      ['B 0', 'done', 0],
    ])
  })

  it('gives a task up whose error cannot pass, with that error', async () => {
    await seedRows({ subjectId: 'A', index: 0 })
    const error = new AppError('ai_quota', 'Over.')
    const onGiveUp = vi.fn(settle)
    await runAll({ run: () => Promise.reject(error), onGiveUp })
    expect(onGiveUp).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.anything(), error)
    expect(await listStates()).toEqual([['A 0', 'done', 0]])
  })

  it('gives a task up that each of its workers died with, and does not run it once more', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    await seedRows({ subjectId: 'A', index: 0 })
    const run = vi.fn(settle)
    const onGiveUp = vi.fn(settle)
    await runAll({ run, onGiveUp }, { attempts: MAX_ATTEMPTS })
    expect(run).not.toHaveBeenCalled()
    expect(onGiveUp).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.anything(), null)
    const ofTask = linesWhere(warnings, ({ event }) => event === 'task')
    expect(ofTask).toMatchObject([{ outcome: 'failed', code: 'gave_up' }])
    await seedRows({ subjectId: 'A', index: 1 })
    await runAll({ run }, { attempts: MAX_ATTEMPTS - 1 })
    expect(run).toHaveBeenCalledOnce()
  })

  it('reports a task that waits for a busy model from the second refusal on', async () => {
    const onWait = vi.fn(async () => {})
    const run = () => Promise.reject(new AppError('ai_busy', 'Busy.'))
    await seedRows({ subjectId: 'A', index: 0 })
    await runAll({ run, onWait })
    expect(onWait).not.toHaveBeenCalled()
    await seedRows({ subjectId: 'B', index: 0, busySince: Date.now() - 1_000 })
    await runAll({ run, onWait })
    expect(onWait).toHaveBeenCalledOnce()
  })

  it('wakes tasks that wait for a busy model only where its kind says so', async () => {
    const later = Date.now() + 60_000
    await seedRows({ subjectId: 'A', index: 1, busySince: 1, nextAttemptAt: later })
    const isPaused = async () => (await listTaskRows()).some(({ nextAttemptAt }) => nextAttemptAt === later)
    for (const [index, wakesBusy] of [false, true].entries()) {
      await seedRows({ subjectId: 'B', index })
      await runAll({ run: settle, wakesBusy })
      expect(await isPaused()).toBe(!wakesBusy)
    }
  })

  it('does nothing where nothing was claimed', async () => {
    const run = vi.fn(settle)
    await runAll({ run })
    expect(run).not.toHaveBeenCalled()
  })

  it('says in a line of the log that others could not be woken, and has done its task all the same', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    await seedRows({ subjectId: 'A', index: 1, busySince: 1, nextAttemptAt: Date.now() + 60_000 })
    await seedRows({ subjectId: 'B', index: 0 })
    let isDone = false
    const isOpen = (id: string) => {
      if (isDone) throw new Error('D1 does not answer')
      return SUBJECT.isOpen(id)
    }
    const run = async (task: Task) => {
      await settle(task)
      isDone = true
    }
    await runAll({ run, wakesBusy: true }, { subject: { ...SUBJECT, isOpen } })
    expect(linesWhere(warnings, () => true)).toMatchObject([{ event: 'wake_failed', stage: 'transcribe' }])
    expect(await listStates()).toContainEqual(['B 0', 'done', 0])
  })

  it('says in each line of the log which task it is about', async () => {
    const infos = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => infos.mockRestore())
    await seedRows({ subjectId: 'A', index: 3 })
    await runAll({ run: settle, traceOf: ({ index }) => ({ chunk: index }) })
    const [line] = linesWhere(infos, ({ event }) => event === 'task')
    expect(line).toMatchObject({ stage: 'transcribe', chunk: 3, attempt: 1, requestId: 'request', outcome: 'done' })
    // How long it took, not a time of day.
    expect(line?.['durationMs']).toBeLessThan(60_000)
  })

  it('says in a line of the log that a task is tried again and when, or is given up, and why', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const random = vi.spyOn(Math, 'random').mockReturnValue(1)
    onTestFinished(() => [warnings, random].forEach((spy) => spy.mockRestore()))
    const fail = async (error: Error) => {
      await seedRows({ subjectId: 'A', index: 0 })
      await runAll({ run: () => Promise.reject(error), onGiveUp: settle })
      await clearTasks()
    }
    await fail(new Error('lost'))
    await fail(new AppError('ai_quota', 'Over.'))
    const [retry, failed, ...others] = linesWhere(warnings, ({ event }) => event === 'task')
    expect(retry).toMatchObject({ outcome: 'retry', code: 'internal', durationMs: expect.any(Number) })
    expect(retry).toMatchObject({ retryAfterS: 2 })
    expect(failed).toMatchObject({ outcome: 'failed', code: 'ai_quota', durationMs: expect.any(Number) })
    expect(others).toEqual([])
  })

  it('extends the lease while it runs, and stops the tasks of a subject that is not open any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await seedRows({ subjectId: 'A', index: 0 }, { subjectId: 'B', index: 0 })
    const signals = new Map<string, AbortSignal>()
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const run = async (task: Task, _context: unknown, { signal }: { signal: AbortSignal }) => {
      signals.set(task.subjectId, signal)
      if (signals.size === 2) begun.resolve()
      signal.addEventListener('abort', () => stopped.resolve())
      await stopped.promise
      signal.throwIfAborted()
      await settle(task)
    }
    const isOpen = vi.fn((id: string) => `${id} = 'B'`)
    const running = runAll({ run }, { subject: { ...SUBJECT, isOpen } })
    await begun.promise
    isOpen.mockClear()
    vi.advanceTimersByTime(LEASE_MS / 3 - 1)
    expect(isOpen).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await running
    expect([signals.get('A')?.aborted, signals.get('B')?.aborted]).toEqual([true, false])
    // A task that was stopped has not failed; its lease runs out.
    expect(await listStates()).toEqual([
      ['A 0', 'ready', 0],
      ['B 0', 'done', 0],
    ])
  })

  it('says that a lease could not be extended, and goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const said = Promise.withResolvers<unknown>()
    const warnings = vi.spyOn(console, 'warn').mockImplementation((line: unknown) => said.resolve(line))
    onTestFinished(() => warnings.mockRestore())
    await seedRows({ subjectId: 'A', index: 0 })
    const begun = Promise.withResolvers<void>()
    let isThere = true
    const run = async (task: Task) => {
      isThere = false
      begun.resolve()
      expect(await said.promise).toMatchObject({ event: 'heartbeat_missed' })
      await settle(task)
    }
    const isOpen = (id: string) => {
      if (!isThere) throw new Error('D1 does not answer')
      return SUBJECT.isOpen(id)
    }
    const running = runAll({ run }, { subject: { ...SUBJECT, isOpen } })
    await begun.promise
    vi.advanceTimersByTime(LEASE_MS / 3)
    await running
    expect(await listStates()).toEqual([['A 0', 'done', 0]])
  })
})
