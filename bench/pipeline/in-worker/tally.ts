import { type D1Meter, intercept, type Method, meteredD1, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import type { Tally } from '../floor.ts'

/** What happens in this worker, in whichever invocation: they share one isolate on a machine of our own. */
export const tally = emptyTally()

let startedAt = 0

/** The run begins now: all counts begin at zero, and all times are counted from here. */
export function resetTally(): void {
  Object.assign(tally, emptyTally())
  startedAt = Date.now()
}

function emptyTally(): Tally & { d1: D1Meter } {
  return {
    d1: openD1Meter(),
    r2Operations: 0,
    queueMessages: 0,
    speechCalls: { inFlight: 0, mostInFlight: 0 },
    languageCalls: { inFlight: 0, mostInFlight: 0 },
    speechJobs: [],
    writtenAtMs: {},
    complaints: [],
  }
}

/** What every task logs when it has ended; of `write_steps` when the steps are stored, shown and announced. */
interface TaskLine {
  stage?: string
  outcome?: string
  chunk: number
  section: number
  durationMs: number
}

/** Reads how long each chunk took, and when each section was written, out of the line that every task logs. */
export function watchLog(): void {
  console.log = (line: TaskLine) => {
    const { stage, outcome, chunk, section, durationMs } = line
    if (outcome !== undefined && outcome !== 'done') tally.complaints.push(JSON.stringify(line))
    else if (outcome === 'done' && stage === 'transcribe') tally.speechJobs.push({ chunk, durationMs })
    else if (outcome === 'done' && stage === 'write_steps') tally.writtenAtMs[section] ??= Date.now() - startedAt
  }
  console.warn = console.error = (...said: unknown[]) => {
    tally.complaints.push(said.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' '))
  }
}

/** The same bindings, with every statement, operation and message counted. */
export function countedEnv(env: Env): Env {
  const queues = Object.entries(env).filter(([, binding]) => isQueue(binding))
  return {
    ...env,
    DB: meteredD1(env.DB, () => tally.d1),
    MEDIA: countedR2(env.MEDIA),
    ...Object.fromEntries(queues.map(([name, queue]) => [name, countedQueue(queue)])),
  }
}

function isQueue(binding: unknown): binding is Queue {
  return typeof binding === 'object' && binding !== null && 'sendBatch' in binding
}

function countedQueue(queue: Queue): Queue {
  return intercept(queue, {
    send: (send, ...args) => {
      tally.queueMessages++
      return send(...args)
    },
    sendBatch: (sendBatch, ...args) => {
      tally.queueMessages += [...(args[0] as Iterable<unknown>)].length
      return sendBatch(...args)
    },
  })
}

const R2_METHODS = ['get', 'put', 'head', 'delete', 'list', 'createMultipartUpload', 'resumeMultipartUpload']

function countedR2(bucket: R2Bucket): R2Bucket {
  const counted: Method = (call, ...args) => {
    tally.r2Operations++
    return call(...args)
  }
  return intercept(bucket, Object.fromEntries(R2_METHODS.map((name) => [name, counted])))
}
