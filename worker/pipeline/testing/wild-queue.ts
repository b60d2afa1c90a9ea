import type { ServedContext } from '#worker/core/context.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { RUN_SUBJECT } from '#worker/domain/run/run-subject.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { settleFailure } from '#worker/tasks/settle-failure.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'
import { type Gate, gateDeps, type Reach } from './gate-deps.ts'

/** What goes wrong in one delivery: at which call, and whether the call still has its effect. */
export interface Fault {
  /** The first call that counts is the first of this kind; the first of all where left out. */
  from?: Reach
  /** Counts the calls of the delivery, from 0. */
  at: number
  isAfter: boolean
  /**
   * `error`: that call throws. `killed`: the invocation is gone, with all its tasks. `power`: so is the consumer that
   * waits for it.
   */
  kind: 'error' | 'killed' | 'power'
  /** With `error`: how many calls in a row throw; 1 when left out. */
  times?: number
}

/** A pipeline that is disturbed as the test says, on a clock of its own. */
export interface WildQueue {
  deps: ServedContext
  now: () => number
  pass: (ms: number) => void
  /** Claims tasks that are due and does them in one invocation. @returns how many */
  deliver: (kind: TaskKind, limit: number, fault: Fault | null) => Promise<number>
}

const NO_QUEUE = { send: async () => {} } as unknown as Queue

export function openWildQueue(services: ServedContext): WildQueue {
  let nowMs = Date.now()
  const queues = {
    ingest: NO_QUEUE,
    transcribe: NO_QUEUE,
    write_steps: NO_QUEUE,
    translate: NO_QUEUE,
    notify: NO_QUEUE,
  }
  const deps = { ...services, queues, nowMs: () => nowMs }

  async function deliver(kind: TaskKind, limit: number, fault: Fault | null): Promise<number> {
    const room = { limit, bytes: Number.MAX_SAFE_INTEGER, isIdle: true }
    const tasks = await claimTasks(deps.d1, { kind, subject: RUN_SUBJECT, ...room, nowMs })
    const life = openLife(fault)
    await runTasks(tasks, gateDeps(deps, life.gate), TASK_HANDLERS)
    // With the invocation alone gone, the drain that called it gives its tasks back.
    if (life.isOver() && fault?.kind === 'killed')
      for (const task of tasks)
        await settleFailure(task, { context: deps, handler: TASK_HANDLERS[kind] }, { error: new Error('killed') })
    return tasks.length
  }

  return { deps, now: () => nowMs, pass: (ms) => void (nowMs += ms), deliver }
}

/** A model that fails is another matter: what is written then are drafts. */
const MODELS: ReadonlySet<Reach> = new Set(['speech', 'writer'])

function openLife(fault: Fault | null): { gate: Gate; isOver: () => boolean } {
  let calls = 0
  let left = fault === null ? 0 : (fault.times ?? 1)
  let isOver = false
  const gone = () => new Error('the invocation is gone')
  async function gate<T>(reach: Reach, act: () => Promise<T>): Promise<T> {
    if (isOver) throw gone()
    if (calls > 0 || fault?.from === undefined || reach === fault.from) calls += 1
    if (fault === null || left === 0 || calls <= fault.at || (fault.kind === 'error' && MODELS.has(reach))) {
      const answer = await act()
      if (isOver) throw gone()
      return answer
    }
    left -= 1
    isOver = fault.kind !== 'error'
    if (fault.isAfter) await act()
    throw isOver ? gone() : new Error('connection lost')
  }
  return { gate, isOver: () => isOver }
}
