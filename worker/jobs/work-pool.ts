import type { Job } from './job.ts'
import type { JobOutcome, JobTry } from './run-jobs.ts'

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const JOBS_PER_INVOCATION = 6
/**
 * Sound that may be in the isolate's 128 MB at once: in base64 and in the body of the call it takes 2.7 times its size.
 */
const SOUND_IN_FLIGHT_BYTES = 34_000_000

/** @param env text of JOBS_IN_FLIGHT must be a whole number of at least 1 */
export function readInFlight({ JOBS_IN_FLIGHT: text }: Env): number {
  const inFlight = Number(text)
  // With none, or NaN, no job would begin, and the delivery would wait for its first one until it is ended.
  if (!Number.isInteger(inFlight) || inFlight < 1) {
    throw new Error(`JOBS_IN_FLIGHT is not a number of jobs of at least 1: ${text}`)
  }
  return inFlight
}

/** Invocations that one may start in all (Workers, "32 Worker invocations per request"), less some to be safe. */
const INVOCATIONS_MAX = 30

/** How soon one looks again for what has become ready; doubles as long as nothing has. */
const LOOK_MS = 200
const LOOK_MAX_MS = 500
/** A delivery may last 15 minutes (Queues, "consumer wall clock time"), and a job that begins late needs some of them. */
const LOOK_FOR_MS = 8 * 60_000

/** A job and what is to become of it when it has ended. */
export interface Unit {
  job: Job
  attempt: number
  sizeBytes: number
  settle: (outcome: JobOutcome) => Promise<void>
}

/** What a pool can reach. */
export interface Pool {
  /** Does some jobs in an invocation of its own, which has its own open connections. */
  runUnits: (tries: JobTry[]) => Promise<JobOutcome[]>
  /** How many jobs may be at work at once. */
  inFlight: number
  /** Jobs that have become ready since, each told once; none when there is nothing to look for. */
  findReady: (limit: number) => Promise<Unit[]>
}

/**
 * Does jobs in groups, as many side by side as may be. As long as some are at work, what becomes ready meanwhile is
 * taken up too: a queue hands out its next batch only when this one is done, or when it has grown more consumers.
 */
export async function workOff(units: Unit[], pool: Pool): Promise<void> {
  const waiting = [...units]
  const atWork: AtWork = new Map()
  const look = openLook(pool)
  while (waiting.length > 0 || atWork.size > 0) {
    look.count(startGroups(waiting, atWork, pool))
    if (waiting.length > 0) {
      await Promise.race(atWork.keys())
      continue
    }
    await look.pause([...atWork.keys()])
    const room = pool.inFlight - countUnits(atWork)
    if (room > 0) waiting.push(...(await look.find(room)))
  }
}

type AtWork = Map<Promise<void>, Unit[]>

/** @returns how many were started */
function startGroups(waiting: Unit[], atWork: AtWork, pool: Pool): number {
  let started = 0
  for (let group = nextGroup(waiting, atWork, pool); group !== null; group = nextGroup(waiting, atWork, pool)) {
    const members = group
    const work: Promise<void> = runGroup(members, pool).finally(() => atWork.delete(work))
    atWork.set(work, members)
    started += 1
  }
  return started
}

function countUnits(atWork: AtWork): number {
  return [...atWork.values()].reduce((sum, group) => sum + group.length, 0)
}

/** Takes the next group off the list once there is room for it; one at least is always at work. */
function nextGroup(waiting: Unit[], atWork: AtWork, pool: Pool): Unit[] | null {
  const group = waiting.slice(0, Math.min(JOBS_PER_INVOCATION, pool.inFlight))
  if (group.length === 0) return null
  const bytes = [...atWork.values(), group].flat().reduce((sum, unit) => sum + unit.sizeBytes, 0)
  const hasRoom = countUnits(atWork) + group.length <= pool.inFlight && bytes <= SOUND_IN_FLIGHT_BYTES
  return hasRoom || atWork.size === 0 ? waiting.splice(0, group.length) : null
}

async function runGroup(units: Unit[], { runUnits }: Pool): Promise<void> {
  const outcomes = await runUnits(units.map(({ job, attempt }) => ({ job, attempt })))
  await Promise.all(units.map((unit, index) => unit.settle(outcomes[index] ?? { retryAfterS: null })))
}

/** Looks for ready jobs: soon after the last find and whenever work has ended, else less and less often. */
function openLook({ findReady }: Pool) {
  const untilMs = Date.now() + LOOK_FOR_MS
  let delayMs = LOOK_MS
  let invocationsLeft = INVOCATIONS_MAX
  const isOver = () => Date.now() >= untilMs || invocationsLeft <= 0
  return {
    count(invocations: number): void {
      invocationsLeft -= invocations
    },
    async pause(work: Promise<void>[]): Promise<void> {
      if (isOver()) await Promise.race(work)
      else if (await raceFor(work, delayMs)) delayMs = LOOK_MS
      else delayMs = Math.min(LOOK_MAX_MS, delayMs * 2)
    },
    async find(limit: number): Promise<Unit[]> {
      const found = isOver() ? [] : await findReady(Math.min(limit, invocationsLeft * JOBS_PER_INVOCATION))
      if (found.length > 0) delayMs = LOOK_MS
      return found
    },
  }
}

/** @returns whether some work ended within that time */
async function raceFor(work: Promise<void>[], ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const hasEnded = await Promise.race([timeout, ...work.map((each) => each.then(() => true as const))])
  clearTimeout(timer)
  return hasEnded
}
