import { type AskedUnit, listAskedParts, listAskedStretches } from '#worker/domain/run/ready-units.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { Job, traceOf } from './job.ts'
import type { ReadyJob } from './ready-jobs.ts'
import { delayAfter, delayOf, delayOfLost, type JobOutcome, type JobTry } from './run-jobs.ts'
import { type Unit, workOff } from './work-pool.ts'

/** What a delivery can reach. */
export interface Delivery extends Pick<RunDeps, 'd1' | 'queues' | 'nowMs'> {
  /** Does some jobs in an invocation of its own. */
  runJobs: (tries: JobTry[]) => Promise<JobOutcome[]>
  /** How many jobs may be at work at once. */
  inFlight: number
  /** Jobs that can be done at once and that nobody has begun with. */
  findReady: (kind: ReadyJob['job']['kind'], limit: number) => Promise<ReadyJob[]>
}

interface Asked {
  message: Message<unknown>
  job: Job
}

/**
 * Does what a batch's messages ask for, and what becomes ready meanwhile; each message is settled by itself, so a bad
 * one never replays the others.
 */
export async function consume(batch: MessageBatch<unknown>, delivery: Delivery): Promise<void> {
  const asked: Asked[] = []
  for (const message of batch.messages) {
    const job = Job.safeParse(message.body)
    if (job.success) asked.push({ message, job: job.data })
    // Not ours to understand: retries lead it to the dead-letter queue, whose consumer ends the module.
    else {
      logLine('warn', 'message_unreadable', { queue: batch.queue, messageId: message.id, attempt: message.attempts })
      message.retry({ delaySeconds: delayOf(message.attempts) })
    }
  }
  const units = await weighOrRetry(asked, delivery)
  const { inFlight } = delivery
  await workOff(units, {
    inFlight,
    runUnits: (tries) => tryAll(tries, delivery),
    findReady: openSearch(units, delivery),
  })
}

/** Thrown, a failure would bring everything back after the queue's own short delay, and use up its tries. */
async function weighOrRetry(asked: Asked[], delivery: Delivery): Promise<Unit[]> {
  try {
    return await weigh(asked, delivery)
  } catch (error) {
    logLine('warn', 'delivery_put_off', { count: asked.length, ...faultOf(error) })
    for (const { message } of asked) message.retry({ delaySeconds: delayAfter(error, message.attempts) })
    return []
  }
}

async function weigh(asked: Asked[], delivery: Delivery): Promise<Unit[]> {
  const states = await readStates(
    delivery,
    asked.map(({ job }) => job),
  )
  const askedOfDone = new Set<string>()
  return asked.flatMap(({ job, message }) => {
    const state = states.get(keyOf(job))
    // One is enough to see whether whoever did the last of a run broke off before what follows.
    const isRepeated = state?.isDone === true && isSeen(askedOfDone, runOf(job))
    if (isRepeated || (state?.isDone === false && state.isTaken)) {
      message.ack()
      return []
    }
    return [toAskedUnit({ job, message }, state)]
  })
}

async function readStates({ d1, ...delivery }: Delivery, jobs: Job[]): Promise<Map<string, AskedUnit>> {
  const nowMs = delivery.nowMs()
  const speech = jobs.flatMap((job) => (job.kind === 'speech' ? [{ ...job, unit: job.part }] : []))
  const steps = jobs.flatMap((job) => (job.kind === 'steps' ? [{ ...job, unit: job.stretch }] : []))
  const parts = speech.length === 0 ? [] : await listAskedParts(d1, { units: speech, nowMs })
  const stretches = steps.length === 0 ? [] : await listAskedStretches(d1, { units: steps, nowMs })
  return new Map([
    ...parts.map((part) => [keyOf({ kind: 'speech', part: part.unit, ...part }), part] as const),
    ...stretches.map((each) => [keyOf({ kind: 'steps', stretch: each.unit, ...each }), each] as const),
  ])
}

function isSeen(seen: Set<string>, key: string): boolean {
  const wasSeen = seen.has(key)
  seen.add(key)
  return wasSeen
}

function toAskedUnit({ job, message }: Asked, state: AskedUnit | undefined): Unit {
  return {
    job,
    // A message that was sent anew counts from the beginning.
    attempt: Math.max(message.attempts, (state?.tries ?? 0) + 1),
    sizeBytes: state?.sizeBytes ?? 0,
    settle: async ({ retryAfterS }) => {
      if (retryAfterS === null) message.ack()
      else message.retry({ delaySeconds: retryAfterS })
    },
  }
}

function runOf({ moduleId, run }: Job): string {
  return `${moduleId}/${run}`
}

function keyOf(job: Job): string {
  const unit = job.kind === 'speech' ? job.part : job.kind === 'steps' ? job.stretch : ''
  return `${job.kind}/${job.moduleId}/${job.run}/${unit}`
}

/** Looks for more of what the messages ask for. Its own message finds it done or taken up, and is done with. */
function openSearch(asked: Unit[], delivery: Delivery): (limit: number) => Promise<Unit[]> {
  const kind = asked[0]?.job.kind
  const known = new Set(asked.map(({ job }) => keyOf(job)))
  const requests = new Map(asked.map(({ job }) => [runOf(job), job.requestId]))
  return async (limit) => {
    if (kind === undefined || kind === 'ingest') return []
    const ready = await findReady(kind, { delivery, limit: limit + known.size })
    const fresh = ready.filter(({ job }) => !known.has(keyOf(job))).slice(0, limit)
    for (const { job } of fresh) known.add(keyOf(job))
    return fresh.map(({ job, sizeBytes }) => {
      // The database does not know which request a run goes back to; its other messages do.
      const traced = { ...job, requestId: requests.get(runOf(job)) }
      return toFoundUnit({ job: traced, sizeBytes }, delivery)
    })
  }
}

async function findReady(
  kind: ReadyJob['job']['kind'],
  { delivery, limit }: { delivery: Delivery; limit: number },
): Promise<ReadyJob[]> {
  try {
    return await delivery.findReady(kind, limit)
  } catch (error) {
    // Their messages are still there.
    logLine('warn', 'search_failed', faultOf(error))
    return []
  }
}

function toFoundUnit({ job, sizeBytes }: ReadyJob, delivery: Delivery): Unit {
  const settle = async ({ retryAfterS }: JobOutcome) => {
    // Its own message may have come and gone meanwhile.
    if (retryAfterS !== null) await askAgain(job, { delivery, retryAfterS })
  }
  return { job, attempt: 1, sizeBytes, settle }
}

async function askAgain(
  job: ReadyJob['job'],
  { delivery: { queues }, retryAfterS: delaySeconds }: { delivery: Delivery; retryAfterS: number },
): Promise<void> {
  try {
    if (job.kind === 'speech') await queues.speech.send(job, { delaySeconds })
    else await queues.steps.send(job, { delaySeconds })
  } catch (error) {
    // The watchdog finds it.
    logLine('warn', 'message_not_sent', { ...traceOf(job), ...faultOf(error) })
  }
}

async function tryAll(tries: JobTry[], { runJobs }: Delivery): Promise<JobOutcome[]> {
  try {
    return await runJobs(tries)
  } catch (error) {
    // The invocation itself ended, out of memory or time: what it had at work is tried again.
    logLine('error', 'invocation_lost', { count: tries.length, ...faultOf(error) })
    return tries.map(({ attempt }) => ({ retryAfterS: delayOfLost(attempt) }))
  }
}
