import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findRun } from '#worker/domain/run/run-store.ts'
import { watchModule } from '#worker/domain/run/watch-run.ts'
import { JOBS_PER_INVOCATION } from './consume.ts'
import { giveUp } from './give-up.ts'
import { fakeSpeech, heardIn, openDriver, plantRun } from './testing/drive.ts'
import { moduleOf, outcomeOf, runThrough } from './testing/outcome.ts'
import { type Fault, openWildQueue } from './testing/wild-queue.ts'

const MINUTE = 60_000
/** A speech job claims its part, reads the sound and asks the recogniser; then it commits. Calls count from 0. */
const [ASKED, COMMITTED] = [2, 3]

/** Workers that die are logged; each test here says how many. */
const errors = vi.spyOn(console, 'error')
afterEach(() => void errors.mockClear())

async function openDisturbed(speech = fakeSpeech()) {
  const { deps } = openDriver({ speech })
  const id = await plantRun(MINUTE)
  const queue = openWildQueue(deps)
  await queue.deliver([{ body: { kind: 'ingest', ...id }, attempts: 1, dueMs: 0 }], null)
  /** Delivers what is due, one by one, and lets time pass where nothing is. */
  async function drain(rounds: number) {
    for (let round = 0; round < rounds && queue.waiting.length > 0; round++) {
      const due = queue.take(0, 1)
      if (due.length === 0) queue.pass(5_000)
      await queue.deliver(due, null)
    }
  }
  return { ...queue, id, speech, drain }
}

describe('case 15: a worker that dies after the model has answered', () => {
  it.each([
    ['before what was heard is committed', { at: ASKED, isAfter: true, kind: 'killed' }, 1],
    ['after what was heard is committed', { at: COMMITTED, isAfter: true, kind: 'killed' }, 0],
  ] satisfies [string, Fault, number][])('%s costs at most one more call', async (_when, fault, more) => {
    const { id, speech, drain, ...queue } = await openDisturbed()
    const parts = queue.waiting.length
    errors.mockImplementation(() => {})
    await queue.deliver(queue.take(0, 1), fault)
    expect(errors).toHaveBeenCalledOnce()
    await drain(200)
    expect(speech.calls).toHaveLength(parts + more)
    const plain = openDriver()
    const other = await plantRun(MINUTE)
    await runThrough(plain, other)
    expect(await outcomeOf(queue, id)).toEqual(await outcomeOf(plain, other))
  })
})

describe('case 16: a poison message', () => {
  it('does not keep the others in its batch from being done', async () => {
    const driver = openDriver()
    const id = await plantRun(MINUTE)
    const result = await driver.deliver(['{bad', { kind: 'ingest', ...id }, { kind: 'v9', ...id }])
    expect(result).toEqual({ acked: 1, retried: 2 })
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })

  it('of a source that was cut by a copy of it ends nothing', async () => {
    const driver = openDriver()
    const id = await plantRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const batch = { queue: 'adapt-dead', messages: [{ id: 'x', body: { kind: 'ingest', ...id }, ack: () => {} }] }
    await giveUp(batch as unknown as MessageBatch<unknown>, driver.deps)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING' })
  })
})

describe('case 17: an invocation that runs out of memory or time', () => {
  const killed: Fault = { at: ASKED, isAfter: false, kind: 'killed' }

  it('is tried again, and nothing has to be missed first', async () => {
    const { id, drain, ...queue } = await openDisturbed()
    errors.mockImplementation(() => {})
    await queue.deliver(queue.take(0, JOBS_PER_INVOCATION), killed)
    await drain(200)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })

  it('ends the module as FAILED when it happens every time', async () => {
    const { id, ...queue } = await openDisturbed()
    errors.mockImplementation(() => {})
    for (let tries = 0; tries < 100 && queue.waiting.length > 0; tries++) {
      await queue.deliver(queue.take(0, JOBS_PER_INVOCATION), killed)
      queue.pass(31_000)
    }
    expect(queue.deadCount()).toBeGreaterThan(0)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('ends the module as FAILED although whoever dies gives signs of life until then', async () => {
    const { id, ...queue } = await openDisturbed()
    errors.mockImplementation(() => {})
    for (let look = 0; look < 100 && (await watchModule(queue.deps, id.moduleId)); look++) {
      for (const message of queue.take(0, 10)) await queue.deliver([{ ...message, attempts: 1 }], killed)
      await env.DB.prepare('UPDATE modules SET redrives = 0 WHERE id = ?').bind(id.moduleId).run()
      queue.pass(40_000)
    }
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('hears a part again although letting go of it failed, too', async () => {
    const { id, drain, ...queue } = await openDisturbed()
    const [message] = queue.take(0, 1)
    if (message === undefined) throw new Error('nothing to hear')
    await queue.deliver([message], { at: COMMITTED, isAfter: false, kind: 'error', times: 2 })
    await drain(200)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })
})

describe('the end of the source', () => {
  const mumbled = () => fakeSpeech((part) => heardIn(part, 0.3))

  it('does not change what is made of words that nobody can understand, when it is known last', async () => {
    const driver = openDriver({ speech: mumbled() })
    const id = await plantRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await env.DB.prepare('UPDATE runs SET part_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING' })
    await runThrough(driver, id)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'not_understood' })
  })

  it('is seen to by a copy of the message when the worker that found it died', async () => {
    const driver = openDriver()
    const id = await plantRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const count = (await findRun(driver.deps.db, id))?.partCount
    await env.DB.prepare('UPDATE runs SET part_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    await env.DB.prepare('UPDATE runs SET part_count = ?2 WHERE module_id = ?1').bind(id.moduleId, count).run()
    await runThrough(driver, id)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })
})
