import { sendEveryMs } from '#web/features/learning/learning-log.ts'
import type { ServedWorker } from './serve.ts'
import type { WatchedRequest } from './wire.ts'

/** The shortest times between two reports: as it was (`docs/decisions/learning-metrics.md`), and as it is. Milliseconds. */
const LEAST_MS = { before: 10_000, now: undefined } as const
/** An hour is six learners who each watch ten minutes to the end. */
const VIEWS = 6
const VIEW_S = 600
/** How often a player says where it is. */
const TICK_S = 0.25

interface Watched {
  reports: number
  rows: number
}

/** The reports of one view, by the rule of the page, and the one at its end. Seconds into the video. */
function listReportsS(leastMs: number | undefined): number[] {
  const moments: number[] = []
  let sentS = 0
  for (let atS = TICK_S; atS < VIEW_S; atS += TICK_S) {
    if ((atS - sentS) * 1000 < sendEveryMs(atS * 1000, leastMs)) continue
    moments.push(atS)
    sentS = atS
  }
  return [...moments, VIEW_S]
}

async function watch(worker: ServedWorker, moduleId: string, name: keyof typeof LEAST_MS): Promise<Watched> {
  const reportsS = listReportsS(LEAST_MS[name])
  let rows = 0
  for (let view = 0; view < VIEWS; view += 1) {
    const request: WatchedRequest = { moduleId, learner: `${name}-${view}`, reportsS }
    rows += (await worker.ask<{ rows: number }>('/api/bench/watched', request)).rows
  }
  return { reports: VIEWS * reportsS.length, rows }
}

/** Counts what an hour of watching a module writes in the database, with the reports of today and those of before. */
export async function measureWatchedHour(worker: ServedWorker, moduleId: string) {
  const [before, now] = [await watch(worker, moduleId, 'before'), await watch(worker, moduleId, 'now')]
  const show = ({ reports, rows }: Watched) => `${rows} rows in ${reports} reports`
  return { json: { before, now }, row: `Rows written per watched hour  ${show(now)}; at 10 s it was ${show(before)}` }
}
