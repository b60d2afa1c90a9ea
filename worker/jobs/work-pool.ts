import type { Job } from './job.ts'
import type { JobOutcome, JobTry } from './run-jobs.ts'

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const JOBS_PER_INVOCATION = 6
/**
 * Sound that may be in the isolate's 128 MB at once: in base64 and in the body of the call it takes 2.7 times its size.
 */
const SOUND_IN_FLIGHT_BYTES = 34_000_000

/** How soon one looks again for what has become ready; doubles as long as nothing has. */
const LOOK_MS = 200
const LOOK_MAX_MS = 2_000
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
  const atWork = new Map<Promise<void>, Unit[]>()
  const look = openLook(pool)
  while (waiting.length > 0 || atWork.size > 0) {
    for (let group = nextGroup(waiting, atWork, pool); group !== null; group = nextGroup(waiting, atWork, pool)) {
      const members = group
      const work: Promise<void> = runGroup(members, pool).finally(() => atWork.delete(work))
      atWork.set(work, members)
    }
    const room = pool.inFlight - countUnits(atWork)
    if (waiting.length === 0 && room > 0) waiting.push(...(await look.after(atWork.keys(), room)))
    else await Promise.race(atWork.keys())
  }
}

function countUnits(atWork: Map<Promise<void>, Unit[]>): number {
  return [...atWork.values()].reduce((sum, group) => sum + group.length, 0)
}

/** Takes the next group off the list once there is room for it; one at least is always at work. */
function nextGroup(waiting: Unit[], atWork: Map<Promise<void>, Unit[]>, pool: Pool): Unit[] | null {
  const group = waiting.slice(0, JOBS_PER_INVOCATION)
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
  return {
    async after(work: Iterable<Promise<void>>, room: number): Promise<Unit[]> {
      const all = [...work]
      if (Date.now() >= untilMs) {
        await Promise.race(all)
        return []
      }
      const hasEnded = await raceFor(all, delayMs)
      const found = await findReady(room)
      delayMs = found.length > 0 || hasEnded ? LOOK_MS : Math.min(LOOK_MAX_MS, delayMs * 2)
      return found
    },
  }
}

/** @returns whether some work ended within that time; true when there is none */
async function raceFor(work: Promise<void>[], ms: number): Promise<boolean> {
  if (work.length === 0) return true
  let timer: ReturnType<typeof setTimeout> | null = null
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const ended = await Promise.race([timeout, ...work.map((each) => each.then(() => true as const))])
  clearTimeout(timer)
  return ended
}
