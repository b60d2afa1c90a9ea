// Behaviour: sweeps over a database full of everything, until nothing is left to do.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openBoundedContext, openContext } from '#worker/entry/open-context.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { wakeWatchdog } from '#worker/pipeline/recover.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { type RunPart, sweep } from '../sweep.ts'
import { sweepPart } from '../sweep-parts.ts'
import { limitQueries } from '../testing/limit-queries.ts'
import { countBacklog, seedBacklog, silent } from '../testing/seed-backlog.ts'

holdTasks()

/** Files share one database: what others have left is no part of this world, and nothing of it is left to them. */
const TABLES =
  'modules deleted_modules runs tasks task_queue audio_chunks quota_uses account_erasures step_images removed_steps questions tutor_days learning_uses erased_learners glossaries outcomes'
const clear = () => env.DB.batch(TABLES.split(' ').map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
beforeEach(clear)
afterAll(clear)

const OF_EACH = 120
const MINUTE_MS = 60_000
const SWEEPS_MAX = 15
/** What an item may ask at most, so that none that is begun with 800 queries made comes to 1,000. */
const ITEM_QUERIES_MAX = 200
const WITHIN_MS = 10 * 60_000

const bindings = () => limitQueries(silent(env))

/** One invocation, and the most queries that one item of its work has made. */
function openInvocation(nowMs: number) {
  const context = { ...openBoundedContext(bindings()), nowMs: () => nowMs }
  const asked = { before: 0, most: 0 }
  const note = () => {
    if (asked.before > 0) asked.most = Math.max(asked.most, context.queries() - asked.before)
    asked.before = context.queries()
  }
  const hasQueriesLeft = () => {
    note()
    return context.hasQueriesLeft()
  }
  return { context: { ...context, canMail: true, hasQueriesLeft }, mostOfItem: () => (note(), asked.most) }
}

it(
  'comes through 120 of everything within the limit of an invocation, and nothing starves',
  async () => {
    const startMs = Date.now()
    await seedBacklog(env, { count: OF_EACH, nowMs: startMs })
    const most: Record<string, { queries: number; item: number }> = {}
    let nowMs = startMs
    const runPart: RunPart = async (part) => {
      const { context, mostOfItem } = openInvocation(nowMs)
      const done = await sweepPart(part, context)
      const before = most[part] ?? { queries: 0, item: 0 }
      most[part] = { queries: Math.max(before.queries, done.queries), item: Math.max(before.item, mostOfItem()) }
      return done
    }
    const doneAfter: Record<string, number> = {}
    for (let sweeps = 1, left = 1; left > 0 && sweeps < SWEEPS_MAX; sweeps++) {
      nowMs += MINUTE_MS
      const counts = await sweep({ ...openContext(bindings()), nowMs: () => nowMs }, runPart)
      expect([counts.broken, counts.failed]).toEqual([0, 0])
      const leftOf = await countBacklog(env.DB)
      left = Object.keys(leftOf).length
      for (const kind of Object.keys(KINDS)) if (leftOf[kind] === undefined) doneAfter[kind] ??= sweeps
    }
    const late = Object.entries(KINDS).filter(([kind, within]) => !((doneAfter[kind] ?? SWEEPS_MAX) <= within))
    expect(late).toEqual([])
    expect(Math.max(...Object.values(most).map(({ item }) => item))).toBeLessThan(ITEM_QUERIES_MAX)
  },
  WITHIN_MS,
)

/** After how many sweeps there is none of it left, at most. Uploads are taken by chance, among others. */
const KINDS: Record<string, number> = {
  late: 4,
  busy: 8,
  arrived: 10,
  abandoned: 3,
  refund: 4,
  accounts: 8,
  deleted: 8,
  unindexed: 10,
  expired: 8,
  images: 1,
  turns: 1,
  days: 1,
  uses: 1,
  learning: 1,
  tokens: 1,
}

it('the consumer of dead letters stops when its queries are used up, and leaves the rest to the sweep', async () => {
  await seedBacklog(env, { count: 10, nowMs: Date.now(), kinds: ['late'] })
  const batch = createMessageBatch('adapt-dead', [{ id: 'dead-1', timestamp: new Date(), attempts: 1, body: {} }])
  const { context } = openInvocation(Date.now())
  let asked = 0
  await linesOf(() => wakeWatchdog(batch, { ...context, hasQueriesLeft: () => asked++ < 3 }))
  expect(await countBacklog(env.DB)).toEqual({ late: 7 })
  expect((await getQueueResult(batch, createExecutionContext())).ackAll).toBe(true)
})
