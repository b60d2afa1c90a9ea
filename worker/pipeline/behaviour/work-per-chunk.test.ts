// Behaviour: queries and rows per chunk do not grow with the length of the video.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { ServedContext } from '#worker/core/context.ts'
import { drain } from '#worker/tasks/drain.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import type { Task } from '#worker/tasks/task.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'
import { fakeSpeech, openDriver, seedRun } from '../testing/drive.ts'
import { type D1Meter, meteredD1, openD1Meter } from '../testing/metered-d1.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
/** Steps are shown together with those of half an hour on either side, so the chunks of a first hour cost less than later ones. */
const MINUTES = [60, 90, 120] as const
/** Sections do not end at whole half hours. */
const GROWTH_MAX = 1.2

interface Measured {
  chunks: number
  meter: D1Meter
}

async function measureRun(minutes: number): Promise<Measured> {
  const meter = openD1Meter()
  const speech = fakeSpeech()
  const driver = openDriver({ speech }, { ...env, DB: meteredD1(env.DB, () => meter) })
  const id = await seedRun(minutes * MINUTE)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  return { chunks: speech.calls.length, meter }
}

/** What each audio chunk costs that a longer video has more than a shorter one. */
function costOfMore(shorter: Measured, longer: Measured) {
  const chunks = longer.chunks - shorter.chunks
  const perChunk = (count: (meter: D1Meter) => number) => (count(longer.meter) - count(shorter.meter)) / chunks
  return {
    statements: perChunk((meter) => meter.statements),
    rowsRead: perChunk((meter) => meter.rowsRead),
    rowsWritten: perChunk((meter) => meter.rowsWritten),
    rowsReadBySql: (sql: string) => perChunk((meter) => meter.bySql.get(sql)?.rowsRead ?? 0),
  }
}

/** D1 answers a thousand queries of one invocation (D1, "Limits"). */
const QUERIES_MAX = 1_000

it('asks the database in no invocation of an hour half as often as D1 answers', async () => {
  const meters: D1Meter[] = []
  /** What one invocation can reach, with a meter of its own. */
  const openInvocation = (): ServedContext => {
    const meter = openD1Meter()
    meters.push(meter)
    return openDriver({}, { ...env, DB: meteredD1(env.DB, () => meter) }).deps
  }
  const id = await seedRun(60 * MINUTE)
  const runTasksAlone = (tasks: Task[]) => runTasks(tasks, openInvocation(), TASK_HANDLERS)
  const driver = openDriver()
  while ((await driver.listReady()).length > 0) {
    for (const kind of ['ingest', 'transcribe', 'write_steps'] as const)
      await drain(kind, { ...openInvocation(), handlers: TASK_HANDLERS, runTasks: runTasksAlone, inFlight: 60 })
  }
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  expect(meters.length).toBeGreaterThan(20)
  expect(Math.max(...meters.map(({ statements }) => statements))).toBeLessThan(QUERIES_MAX / 2)
}, 120_000)

it('asks the database as much for a chunk of the fourth half hour as for one of the third', {
  tags: 'attack-45',
  timeout: 120_000,
}, async () => {
  const first = await measureRun(MINUTES[0])
  const second = await measureRun(MINUTES[1])
  const third = await measureRun(MINUTES[2])
  const before = costOfMore(first, second)
  const after = costOfMore(second, third)
  const mostGrown = [...third.meter.bySql.keys()]
    .map((sql) => ({ sql, rows: after.rowsReadBySql(sql) - before.rowsReadBySql(sql) }))
    .toSorted((a, b) => b.rows - a.rows)[0]
  const growth = `${mostGrown?.rows.toFixed(1)} more rows a chunk are read by ${mostGrown?.sql}`
  expect(after.rowsRead / before.rowsRead, growth).toBeLessThan(GROWTH_MAX)
  expect(after.statements / before.statements).toBeLessThan(GROWTH_MAX)
  expect(after.rowsWritten / before.rowsWritten).toBeLessThan(GROWTH_MAX)
})
