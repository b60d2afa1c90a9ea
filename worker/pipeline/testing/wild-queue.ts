import { env } from 'cloudflare:workers'
import { consume, type Delivery } from '../consume.ts'
import { giveUp } from '../give-up.ts'
import type { Job, JobDeps } from '../job.ts'
import { findReadyJobs } from '../ready-jobs.ts'
import { runJobs } from '../run-jobs.ts'
import { type Gate, gateDeps, type Reach } from './gate-deps.ts'

/** What goes wrong in one delivery: at which call, and whether the call still has its effect. */
export interface Fault {
  /** Counts the calls of the delivery, from 0. */
  at: number
  isAfter: boolean
  /** `error`: that call throws. `killed`: the invocation is gone, with all that it had at work. */
  kind: 'error' | 'killed'
  /** With `error`: how many calls in a row throw; 1 when left out. */
  times?: number
}

interface Waiting {
  body: Job
  attempts: number
  dueMs: number
}

/** `max_retries` of the queues (wrangler.toml). */
const MAX_RETRIES = { ingest: 5, speech: 6, steps: 5 }

/** A message broker that does what the test says, on a clock of its own. */
export interface WildQueue {
  deps: JobDeps
  waiting: Waiting[]
  /** How many messages ran out of tries. */
  deadCount: () => number
  now: () => number
  pass: (ms: number) => void
  /** Takes messages that are due, counted from the one at `from`; they are nobody's then. */
  take: (from: number, count: number) => Waiting[]
  deliver: (messages: Waiting[], fault: Fault | null) => Promise<void>
}

export function openWildQueue(services: JobDeps): WildQueue {
  let nowMs = Date.now()
  const waiting: Waiting[] = []
  const dead: Job[] = []
  let deadCount = 0
  const put = (body: Job, delayS = 0) => void waiting.push({ body, attempts: 1, dueMs: nowMs + delayS * 1000 })
  const queue = {
    send: async (body: Job, options?: { delaySeconds?: number }) => put(body, options?.delaySeconds),
    sendBatch: async (bodies: { body: Job }[]) => bodies.forEach(({ body }) => put(body)),
  } as unknown as Queue
  const deps = { ...services, queues: { ingest: queue, speech: queue, steps: queue }, nowMs: () => nowMs }

  function take(from: number, count: number): Waiting[] {
    const due = waiting.filter((message) => message.dueMs <= nowMs)
    const taken = due.map((_, at) => due[(from + at) % due.length] as Waiting).slice(0, count)
    for (const message of taken) waiting.splice(waiting.indexOf(message), 1)
    return taken
  }

  async function deliver(messages: Waiting[], fault: Fault | null): Promise<void> {
    const life = openLife(fault)
    const batch = { queue: 'adapt-speech', messages: messages.map((each) => toMessage(each)) }
    await consume(batch as unknown as MessageBatch<unknown>, {
      ...deps,
      inFlight: 60,
      findReady: fault === null ? openSearch(messages) : async () => [],
      runJobs: async (tries) => {
        const outcomes = await runJobs(tries, gateDeps(deps, life.gate))
        if (life.isOver()) throw new Error('the invocation is gone')
        return outcomes
      },
    })
    deadCount += dead.length
    const lost = dead.splice(0).map((body) => ({ id: 'x', body, ack: () => {} }))
    if (lost.length > 0) await giveUp({ queue: 'adapt-dead', messages: lost } as unknown as MessageBatch<unknown>, deps)
  }

  /** One unit more per delivery, of the same videos: enough to get in the way of its own message. */
  function openSearch(messages: Waiting[]): Delivery['findReady'] {
    const moduleIds = new Set(messages.map(({ body }) => body.moduleId))
    let left = 1
    return async (kind, limit) => {
      const ready = await findReadyJobs(env.DB, { kind, limit, nowMs })
      return ready.filter(({ job }) => moduleIds.has(job.moduleId) && left-- > 0)
    }
  }

  function toMessage({ body, attempts }: Waiting) {
    const retry = ({ delaySeconds }: { delaySeconds: number }) => {
      if (attempts > MAX_RETRIES[body.kind]) dead.push(body)
      else waiting.push({ body, attempts: attempts + 1, dueMs: nowMs + delaySeconds * 1000 })
    }
    return { id: crypto.randomUUID(), timestamp: new Date(), body, attempts, ack: () => {}, retry }
  }

  return {
    deps,
    waiting,
    deadCount: () => deadCount,
    now: () => nowMs,
    pass: (ms) => void (nowMs += ms),
    take,
    deliver,
  }
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
    calls += 1
    if (fault === null || left === 0 || calls <= fault.at || (fault.kind === 'error' && MODELS.has(reach))) {
      const answer = await act()
      if (isOver) throw gone()
      return answer
    }
    left -= 1
    isOver = fault.kind === 'killed'
    if (fault.isAfter) await act()
    throw isOver ? gone() : new Error('connection lost')
  }
  return { gate, isOver: () => isOver }
}
