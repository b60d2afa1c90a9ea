import { listPartSizes } from '#worker/domain/run/part-store.ts'
import { describeError } from '#worker/errors.ts'
import { Job } from './job.ts'
import { delayAfter, delayOf, type JobOutcome, type JobTry } from './run-jobs.ts'

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const JOBS_PER_INVOCATION = 6
/**
 * Sound that may be in the isolate's 128 MB at once: as it is, in base64 and in the body of the call it takes about
 * four times its size.
 */
const SOUND_IN_FLIGHT_BYTES = 24_000_000

/** What a delivery can reach. */
export interface Delivery {
  d1: D1Database
  /** Does some jobs in an invocation of its own, which has its own open connections. */
  runJobs: (tries: JobTry[]) => Promise<JobOutcome[]>
  /** How many jobs may be at work at once. */
  inFlight: number
}

interface Unit {
  message: Message<unknown>
  job: Job
}

/**
 * Hands a batch's messages on in groups, as many side by side as may be; each message is settled by itself, so a bad
 * one never replays the others.
 */
export async function consume(batch: MessageBatch<unknown>, delivery: Delivery): Promise<void> {
  const units: Unit[] = []
  for (const message of batch.messages) {
    const job = Job.safeParse(message.body)
    if (job.success) units.push({ message, job: job.data })
    // Not ours to understand: retries lead it to the dead-letter queue, whose consumer ends the module.
    else message.retry({ delaySeconds: delayOf(message.attempts) })
  }
  const groups = await weighOrRetry(units, delivery)
  await runSideBySide(groups, delivery)
}

interface Group {
  units: Unit[]
  bytes: number
}

/** Thrown, a failure would bring everything back after the queue's own short delay, and use up its tries. */
async function weighOrRetry(units: Unit[], delivery: Delivery): Promise<Group[]> {
  try {
    return await weigh(units, delivery)
  } catch (error) {
    console.warn({ event: 'delivery_put_off', jobs: units.length, cause: describeError(error) })
    for (const { message } of units) message.retry({ delaySeconds: delayAfter(error, message.attempts) })
    return []
  }
}

async function weigh(units: Unit[], { d1 }: Delivery): Promise<Group[]> {
  const parts = units.flatMap(({ job }) => (job.kind === 'speech' ? [job] : []))
  const sizes = parts.length === 0 ? [] : await listPartSizes(d1, parts)
  const sizeOf = new Map(sizes.map((size) => [`${size.moduleId}/${size.run}/${size.part}`, size.sizeBytes]))
  const groups: Group[] = []
  for (let at = 0; at < units.length; at += JOBS_PER_INVOCATION) {
    const group = units.slice(at, at + JOBS_PER_INVOCATION)
    const bytes = group.reduce((sum, { job }) => {
      return sum + (job.kind === 'speech' ? (sizeOf.get(`${job.moduleId}/${job.run}/${job.part}`) ?? 0) : 0)
    }, 0)
    groups.push({ units: group, bytes })
  }
  return groups
}

/** Starts groups in order as soon as there is room for them; one at least is always at work. */
async function runSideBySide(groups: Group[], delivery: Delivery): Promise<void> {
  const atWork = new Map<Promise<void>, Group>()
  const hasRoom = (group: Group) => {
    const running = [...atWork.values()]
    const jobs = running.reduce((sum, each) => sum + each.units.length, group.units.length)
    const bytes = running.reduce((sum, each) => sum + each.bytes, group.bytes)
    return running.length === 0 || (jobs <= delivery.inFlight && bytes <= SOUND_IN_FLIGHT_BYTES)
  }
  for (const group of groups) {
    while (!hasRoom(group)) await Promise.race(atWork.keys())
    const work: Promise<void> = runGroup(group, delivery).finally(() => atWork.delete(work))
    atWork.set(work, group)
  }
  await Promise.all(atWork.keys())
}

async function runGroup({ units }: Group, { runJobs }: Delivery): Promise<void> {
  const outcomes = await tryAll(units, runJobs)
  units.forEach(({ message }, index) => {
    const retryAfterS = outcomes[index]?.retryAfterS ?? null
    if (retryAfterS === null) message.ack()
    else message.retry({ delaySeconds: retryAfterS })
  })
}

async function tryAll(units: Unit[], runJobs: Delivery['runJobs']): Promise<JobOutcome[]> {
  try {
    return await runJobs(units.map(({ message, job }) => ({ job, attempt: message.attempts })))
  } catch (error) {
    // The invocation itself ended, out of memory or time: what it had at work is tried again.
    console.error({ event: 'invocation_lost', jobs: units.length, cause: describeError(error) })
    return units.map(({ message }) => ({ retryAfterS: delayOf(message.attempts) }))
  }
}
