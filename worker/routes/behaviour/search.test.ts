// Behaviour: searching modules, from indexing by the sweep to the answer.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { beforeEach, describe, expect, it } from 'vitest'
import { SearchAnswer } from '#contract/search.ts'
import { BLANK_STEP } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedDeletion, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { steps } from '#worker/db/schema.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { saveReading } from '#worker/domain/screen/screen-reading.ts'
import { indexModule } from '#worker/domain/search/index-module.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { linesOf } from '#worker/log/testing/lines.ts'

const DB = openDb(env.DB)
const SAID = [
  { startMs: 1_000, endMs: 4_000, text: 'Welcome, today we descale the boiler.', confidence: null },
  { startMs: 12_000, endMs: 15_000, text: 'Pour the citric acid into the tank.', confidence: null },
  { startMs: 31_000, endMs: 34_000, text: 'Rinse it twice with clear water.', confidence: null },
]

/** An owner's READY module with two steps and three lines of transcript, not indexed yet. */
async function seedTraining(fields: Partial<NewModule> = {}): Promise<NewModule & { userId: string }> {
  const userId = fields.userId ?? `user_${nanoid(8)}`
  const module = await seedModule({
    title: 'Coffee machine',
    status: 'READY',
    durationMs: 60_000,
    stepsVersion: 1,
    ...fields,
    userId,
  })
  const step = (position: number, title: string, description: string) => ({
    ...BLANK_STEP,
    moduleId: module.id,
    id: `s-${position}`,
    position,
    title,
    description,
    startMs: position * 30_000,
    endMs: position * 30_000 + 30_000,
  })
  await DB.insert(steps).values([
    step(0, 'Fill the tank', 'Open the lid and pour slowly.'),
    { ...step(1, 'Rinse the boiler', 'Let the water run.'), notes: 'Secret supplier: Acme', aliases: ['flushing'] },
  ])
  await seedCaptions(module.id, SAID)
  return { ...module, userId }
}

const sweepNow = () => sweepHere(openContext(env))

async function find(as: string, query: string, options = {}) {
  const path = `/api/modules/search?query=${encodeURIComponent(query)}`
  const { found } = await answerOf(SearchAnswer, path, { as, ...options })
  return found.map(({ module, hits }) => ({
    title: module.title,
    hits: hits.map(({ kind, step, start, text }) => {
      const marks = text.marks.map(([from, to]) => text.text.slice(from, to)).join('|')
      return [kind, start, step, marks] as const
    }),
  }))
}

const titlesOf = async (as: string, query: string, options = {}) =>
  (await find(as, query, options)).map(({ title }) => title)

describe('GET /api/modules/search', () => {
  // Each test fills an index of its own.
  beforeEach(async () => {
    await env.DB.exec('DELETE FROM modules')
    await env.SEARCH.batch(
      ['words', 'passages', 'layouts'].map((table) => env.SEARCH.prepare(`DROP TABLE IF EXISTS ${table}`)),
    )
  })

  it('finds steps and what was said, each with its moment and with what was searched for marked', async () => {
    const { userId } = await seedTraining()
    await sweepNow()
    expect(await find(userId, 'rins')).toEqual([{ title: 'Coffee machine', hits: [['step', 30, null, 'Rinse']] }])
    expect(await find(userId, 'lid pour')).toEqual([
      { title: 'Coffee machine', hits: [['step', 0, 'Fill the tank', 'lid|pour']] },
    ])
    expect(await find(userId, 'CITRIC acíd')).toEqual([
      { title: 'Coffee machine', hits: [['said', 12, 'Fill the tank', 'citric|acid']] },
    ])
    expect(await find(userId, 'descale')).toEqual([
      { title: 'Coffee machine', hits: [['said', 1, 'Fill the tank', 'descale']] },
    ])
    expect((await find(userId, 'flushing'))[0]?.hits).toEqual([['step', 30, 'Rinse the boiler', 'flushing']])
  })

  it('finds what the screen shows, where it is shown first, until it is read again', async () => {
    const module = await seedTraining()
    const box = { x: 0, y: 0, width: 1, height: 1 }
    const block = (text: string, startMs: number) => {
      return { text, startMs, endMs: startMs + 900, box, kind: 'command', confidence: 1 } as const
    }
    const read = async (...blocks: ReturnType<typeof block>[]) => {
      const reading = { readMs: 60_000, isDone: true, secrets: [], blocks }
      await saveReading({ d1: env.DB, bucket: env.MEDIA }, { ...module, ignoredArea: null, screenKey: null }, reading)
      await sweepNow()
    }
    await sweepNow()
    await read(block('flash --port usb', 5_000), block('flash --port usb', 42_000), block('reboot', 44_000))
    expect((await find(module.userId, 'flash usb'))[0]?.hits).toEqual([['screen', 5, 'Fill the tank', 'flash|usb']])
    expect((await find(module.userId, 'reboot'))[0]?.hits).toEqual([['screen', 44, 'Rinse the boiler', 'reboot']])
    await read(block('restart', 44_000))
    expect(await find(module.userId, 'flash')).toEqual([])
    expect((await find(module.userId, 'restart'))[0]?.hits).toHaveLength(1)
    expect(await find(`user_${nanoid(8)}`, 'restart')).toEqual([])
  })

  it('finds words that stand in the title, the step and the speech together, and no module by its title alone', async () => {
    const { userId } = await seedTraining()
    await sweepNow()
    expect((await find(userId, 'coffee citric tank'))[0]?.hits).toEqual([['said', 12, 'Fill the tank', 'citric|tank']])
    expect(await find(userId, 'coffee')).toEqual([])
    expect(await find(userId, 'citric nonsense')).toEqual([])
    expect(await find(userId, '"')).toEqual([])
    expect(await find(userId, '')).toEqual([])
  })

  it('finds what a question in ordinary words asks for, the place with more of its words first', async () => {
    const userId = `user_${nanoid(8)}`
    await seedTraining({ userId, title: 'Acid', createdAt: 1_000 })
    const other = await seedTraining({ userId, title: 'Vinegar', createdAt: 2_000 })
    const edits = [{ id: 'c-00001', text: 'Pour the vinegar into the tank.' }]
    await call(`/api/transcript/${other.id}`, { as: userId, method: 'PATCH', json: { edits } })
    await sweepNow()
    const [first, second] = await find(userId, 'How do I pour the acid into the tanks?')
    expect(first).toMatchObject({ title: 'Acid', hits: [['said', 12, 'Fill the tank', 'Pour|acid|tank']] })
    expect(second?.title).toBe('Vinegar')
    expect(await titlesOf(userId, 'Where does the citric acid go?')).toEqual(['Acid'])
    expect(await titlesOf(userId, 'Which acid is for the grinder and its sieve?')).toEqual([])
  })

  it('leaves private notes out', async () => {
    const { userId } = await seedTraining()
    await sweepNow()
    expect(await find(userId, 'supplier')).toEqual([])
  })

  it('shows the better places first: the title of a step, then its text, then what was said', async () => {
    const userId = `user_${nanoid(8)}`
    await seedTraining({ userId, title: 'Said', createdAt: 3_000 })
    const titled = await seedTraining({ userId, title: 'Titled', createdAt: 1_000 })
    const described = await seedTraining({ userId, title: 'Described', createdAt: 2_000 })
    const set = (id: string, column: string) =>
      env.DB.prepare(`UPDATE steps SET ${column} = 'The citric acid' WHERE module_id = ? AND position = 1`)
        .bind(id)
        .run()
    await set(titled.id, 'title')
    await set(described.id, 'description')
    await sweepNow()
    const found = await find(userId, 'citric')
    expect(found.map(({ title }) => title)).toEqual(['Titled', 'Described', 'Said'])
    expect(found[0]?.hits.map(([kind, start]) => [kind, start])).toEqual([
      ['step', 30],
      ['said', 12],
    ])
  })

  it("finds the active organization's modules, without one all of the caller's, and never another owner's", async () => {
    const userId = `user_${nanoid(8)}`
    const ORG = { orgId: `org_${nanoid(6)}` }
    await seedTraining({ userId, title: 'mine' })
    await seedTraining({ userId, title: 'both', ...ORG })
    await seedTraining({ title: 'of a colleague', ...ORG })
    await seedTraining({ title: 'of a stranger' })
    await sweepNow()
    expect((await titlesOf(userId, 'citric')).toSorted()).toEqual(['both', 'mine'])
    expect((await titlesOf(userId, 'citric', ORG)).toSorted()).toEqual(['both', 'of a colleague'])
    expect(await titlesOf(userId, 'citric', { orgId: 'org_y' })).toEqual([])
  })

  it('shows nothing of another owner where the index says otherwise', async () => {
    const [mine, other] = [await seedTraining(), await seedTraining()]
    // As if the codes of the two were one.
    await sweepNow()
    const row = await findModule(DB, other.id)
    if (row !== null) await indexModule(openContext(env), { ...row, userId: mine.userId, title: 'not yours' })
    expect(await titlesOf(mine.userId, 'citric')).toEqual(['Coffee machine'])
  })

  it('follows a new title, changed steps, a corrected transcript and another uploader', async () => {
    const ORG = { orgId: `org_${nanoid(6)}` }
    const { id, userId: as } = await seedTraining(ORG)
    await sweepNow()
    expect((await sweepNow()).indexed).toBe(0)
    await call(`/api/modules/${id}`, { as, method: 'PATCH', json: { title: 'Espresso' } })
    await sweepNow()
    expect(await titlesOf(as, 'espresso citric')).toEqual(['Espresso'])
    const edits = [{ id: 'c-00001', text: 'Pour the vinegar into the tank.' }]
    expect((await call(`/api/transcript/${id}`, { as, method: 'PATCH', json: { edits } })).status).toBe(200)
    await sweepNow()
    expect(await titlesOf(as, 'citric')).toEqual([])
    expect(await titlesOf(as, 'vinegar')).toEqual(['Espresso'])
    const list = [{ id: 'a', title: 'Close the valve', description: 'Turn it.', start: 0, end: 9 }]
    expect((await call(`/api/steps/${id}`, { as, json: { steps: list } })).status).toBe(200)
    await sweepNow()
    expect(await titlesOf(as, 'valve')).toEqual(['Espresso'])
    expect(await titlesOf(as, 'lid')).toEqual([])
    const admin = { as: `user_${nanoid(8)}`, ...ORG, orgRole: 'org:admin' }
    expect((await call(`/api/modules/${id}/take-over`, { ...admin, method: 'POST' })).status).toBe(200)
    expect(await titlesOf(as, 'valve')).toEqual([])
    await sweepNow()
    expect(await titlesOf(admin.as, 'valve')).toEqual(['Espresso'])
  })

  it('finds nothing of a deleted module, finds it again once it is restored, and keeps nothing of an erased one', async () => {
    const module = await seedTraining()
    const { id, userId: as } = module
    const kept = () => env.SEARCH.prepare('SELECT count(*) AS n FROM passages WHERE module_id = ?').bind(id).first('n')
    await sweepNow()
    expect(await kept()).toBe(2)
    await call(`/api/modules/${id}`, { as, method: 'DELETE' })
    expect(await titlesOf(as, 'citric')).toEqual([])
    expect(await kept()).toBe(0)
    await call(`/api/modules/${id}/restore`, { as, method: 'POST' })
    await sweepNow()
    expect(await titlesOf(as, 'citric')).toEqual(['Coffee machine'])
    // As where the index was away when the module was deleted.
    await seedDeletion(id, Date.now())
    await eraseModule(openContext(env), { id, sourceKey: module.sourceKey, uploadId: null })
    expect(await kept()).toBe(0)
    const left = 'SELECT count(*) AS n FROM words WHERE rowid NOT IN (SELECT id FROM passages)'
    expect(await env.SEARCH.prepare(left).first('n')).toBe(0)
  })

  it('keeps nothing of a module that was deleted while it was indexed', async () => {
    const { id } = await seedTraining()
    await sweepNow()
    const row = await findModule(DB, id)
    await seedDeletion(id, Date.now())
    if (row !== null) await indexModule(openContext(env), row)
    expect(await env.SEARCH.prepare('SELECT 1 FROM passages WHERE module_id = ?').bind(id).first()).toBeNull()
  })

  it('answers with nothing before the first sweep, which makes the index and fills it from what is there', async () => {
    const { userId } = await seedTraining({ indexedVersion: 1 })
    expect(await find(userId, 'citric')).toEqual([])
    await sweepNow()
    expect(await titlesOf(userId, 'citric')).toEqual(['Coffee machine'])
  })

  it('fills a database of another layout again', async () => {
    const { userId } = await seedTraining()
    await sweepNow()
    await env.SEARCH.batch(
      ['UPDATE layouts SET layout = 0', 'DELETE FROM passages'].map((sql) => env.SEARCH.prepare(sql)),
    )
    expect(await find(userId, 'citric')).toEqual([])
    await sweepNow()
    expect(await titlesOf(userId, 'citric')).toEqual(['Coffee machine'])
  })

  it('keeps a module marked that has changed while it was indexed', async () => {
    const { id, userId: as } = await seedTraining()
    await sweepNow()
    const before = await findModule(DB, id)
    await call(`/api/modules/${id}`, { as, method: 'PATCH', json: { title: 'Espresso' } })
    if (before !== null) await indexModule(openContext(env), before)
    await sweepNow()
    expect(await titlesOf(as, 'espresso citric')).toEqual(['Espresso'])
  })

  it('sweeps on while the index is away', async () => {
    await seedTraining()
    const first = () => Promise.reject(new Error('D1_ERROR: away'))
    const search = { prepare: () => ({ first }) } as unknown as D1Database
    const lines = await linesOf(async () => {
      expect(await sweepHere({ ...openContext(env), search })).toMatchObject({ indexed: 0, failed: 0 })
    })
    expect(lines.map(({ event }) => event)).toContain('search_index_away')
  })

  it('refuses a visitor, and a query that is missing or too long', async () => {
    expect((await problemOf('/api/modules/search?query=a')).code).toBe('unauthenticated')
    for (const query of ['', `?query=${'a'.repeat(201)}`, '?query=a&more=b'])
      expect((await problemOf(`/api/modules/search${query}`, { as: 'user_any' })).code).toBe('invalid_request')
  })
})
