import type { Health } from '#contract/health.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { describeModels, describeSweep } from './describe-outcomes.ts'
import { listOutcomes } from './outcome-store.ts'
import { type AskedQueues, describeBacklogs, readBacklogs } from './queue-backlog.ts'

/** How each part is: `ok`, or what is wrong and what that means. */
export type PartsHealth = Pick<Health, 'd1' | 'r2' | 'queues' | 'ai' | 'durableObjects'>

/** What is asked. */
export interface ProbedParts {
  d1: D1Database
  bucket: Pick<R2Bucket, 'head'>
  queues: AskedQueues
  /** Asks a room of no module. */
  askRoom: () => Promise<unknown>
  /** A part that has not answered by then is not waited for. */
  deadlineMs: number
}

const OK = 'ok'

/** What people cannot do while a part is away. */
const WITHOUT = {
  d1: 'nothing can be opened or saved',
  r2: 'videos cannot be uploaded or played',
  queues: 'new videos wait to be processed',
  durableObjects: 'pages learn of changes a few seconds later, and the tutor does not answer',
} as const

/** Probes every part in parallel. Never fails; the reason why a part does not answer is logged, not returned. */
export async function probeParts(parts: ProbedParts, nowMs: number): Promise<PartsHealth> {
  const { d1, bucket, queues, askRoom, deadlineMs } = parts
  const ask = <Answer>(part: keyof typeof WITHOUT, question: () => Promise<Answer>) =>
    probe({ part, question, deadlineMs })
  const [outcomes, object, backlogs, room] = await Promise.all([
    ask('d1', () => listOutcomes(d1)),
    ask('r2', () => bucket.head('health')),
    ask('queues', () => readBacklogs(queues, nowMs)),
    ask('durableObjects', askRoom),
  ])
  const sweep = outcomes.answer === null ? null : describeSweep(outcomes.answer, nowMs)
  const backlog = backlogs.answer === null ? backlogs.status : describeBacklogs(backlogs.answer)
  return {
    d1: outcomes.status,
    r2: object.status,
    queues: [backlog, sweep].filter((fault) => fault !== null).join('; ') || OK,
    ai: outcomes.answer === null ? 'unknown without the database' : describeModels(outcomes.answer),
    durableObjects: room.status,
  }
}

interface Probe<Answer> {
  part: keyof typeof WITHOUT
  question: () => Promise<Answer>
  deadlineMs: number
}

async function probe<Answer>({ part, question, deadlineMs }: Probe<Answer>) {
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), deadlineMs)
  })
  try {
    const answer = await Promise.race([question().then((value) => ({ value })), late])
    if (answer !== 'late') return { status: OK, answer: answer.value }
    logLine('warn', 'probe_failed', { probe: part, code: 'late' })
    return { status: `no answer within ${deadlineMs / 1000} s: ${WITHOUT[part]}`, answer: null }
  } catch (error) {
    logLine('warn', 'probe_failed', { probe: part, ...faultOf(error) })
    return { status: `unreachable: ${WITHOUT[part]}`, answer: null }
  } finally {
    clearTimeout(timer)
  }
}
