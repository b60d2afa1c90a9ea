import { SWEPT_PARTS } from '#worker/domain/health/swept-parts.ts'
import { findWorkerds, measureUsage } from '../processes.ts'
import { type Bench, gate, logProgress, round, row, type Scenario, sum } from '../scenario.ts'
import type { SweepPartRequest, SweptPartAnswer } from '../wire.ts'

/** Of one invocation of a cron that comes more than once an hour, and of a database (Workers and D1, "Limits"). */
const CPU_MAX_S = 30
const QUERIES_MAX = 1_000

/** Does one sweep over the backlog, part by part. What the database and the bucket do is in the same processes, so it counts. */
async function measureSweep({ serve, values }: Bench) {
  const count = Number(values['count'])
  const worker = await serve()
  logProgress(`${count} of everything that a sweep looks after`)
  await worker.ask('/api/bench/backlog', { count })
  const pids = findWorkerds()
  const parts = []
  for (const part of Object.keys(SWEPT_PARTS)) {
    const ask = () => worker.ask<SweptPartAnswer>('/api/bench/sweep-part', { part } satisfies SweepPartRequest)
    const { result, usage } = await measureUsage(pids, ask)
    const { queries, left } = result
    parts.push({ part, queries, left, cpuS: round(usage.cpuS, 2), wallS: round(usage.wallS, 2) })
  }
  await worker.stop()
  return { count, parts }
}

/** What each part of a sweep asks of an invocation after an outage. */
export const scenario: Scenario = {
  options: { count: { type: 'string', default: '300' } },
  async measure(bench) {
    const figures = await measureSweep(bench)
    const { count, parts } = figures
    const most = (figure: 'cpuS' | 'queries') => Math.max(...parts.map((part) => part[figure]))
    return {
      json: figures,
      table: [
        row('of everything', String(count)),
        ...parts.map(({ part, queries, left, cpuS }) =>
          row(part, `${cpuS.toFixed(2)} s of the processor, ${queries} queries, ${left} left`),
        ),
        row(
          'all parts',
          `${sum(parts.map(({ cpuS }) => cpuS)).toFixed(2)} s, ${sum(parts.map(({ queries }) => queries))} queries`,
        ),
        gate(
          'processor of the dearest part',
          most('cpuS'),
          { atMost: CPU_MAX_S },
          (figure) => `${figure.toFixed(2)} s`,
        ),
        gate('queries of the part with the most', most('queries'), { atMost: QUERIES_MAX }, String),
      ],
    }
  },
}
