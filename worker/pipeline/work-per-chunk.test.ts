import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { fakeSpeech, openDriver, plantRun } from './testing/drive.ts'
import { type D1Meter, meteredD1, openD1Meter } from './testing/metered-d1.ts'
import { moduleOf } from './testing/outcome.ts'
import { holdTasks } from './testing/plant-tasks.ts'

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
  const id = await plantRun(minutes * MINUTE)
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

it('asks the database as much for a chunk of the fourth half hour as for one of the third [attack 45]', async () => {
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
}, 120_000)
