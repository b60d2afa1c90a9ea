// Behaviour: storing what a browser read from the screen of a video, and removing it.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { GlossaryAnswer } from '#contract/account.ts'
import { Done } from '#contract/module.ts'
import { ScreenAnswer, type ScreenArea, type ScreenCorrection, type ScreenReading } from '#contract/screen.ts'
import { ProposalsAnswer } from '#contract/step.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { removeModuleObjects } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { removeUnusedSettings } from '#worker/domain/organization/settings-store.ts'
import { readBlocks } from '#worker/domain/screen/read-blocks.ts'
import { removeScreenCorrections } from '#worker/domain/screen/screen-corrections.ts'
import { saveReading } from '#worker/domain/screen/screen-reading.ts'

const as = 'user_owner'

const block = (text: string) => makeBlock(text, 1_000)

const put = (id: string, json: ScreenReading) => ({
  path: `/api/modules/${id}/screen`,
  options: { as, method: 'PUT', json },
})

async function save(id: string, reading: ScreenReading): Promise<void> {
  const { path, options } = put(id, reading)
  await answerOf(Done, path, options)
}

const read = (id: string) => answerOf(ScreenAnswer, `/api/modules/${id}/screen`, { as })

async function listObjects(id: string): Promise<string[]> {
  return (await env.MEDIA.list({ prefix: `screens/${id}/` })).objects.map(({ key }) => key)
}

describe('PUT /api/modules/{moduleId}/screen', () => {
  it('stores one object, which a later reading takes the place of', async () => {
    const { id } = await seedModule()
    expect(await read(id)).toMatchObject({ readsScreen: true, reading: null })
    await save(id, makeReading([block('ls -a')]))
    const reading = makeReading([block('ls -a'), block('man -k directories')])
    await save(id, reading)
    expect((await read(id)).reading).toEqual(reading)
    const { screenKey } = (await findModule(openDb(env.DB), id)) ?? {}
    expect(await listObjects(id)).toEqual([screenKey])
  })

  it('keeps a complete reading until the next one has reached as far', async () => {
    const { id } = await seedModule()
    const complete = makeReading([block('ls -a'), makeBlock('pwd', 50_000)])
    await save(id, complete)
    await save(id, makeReading([block('ls')], { readMs: 20_000, isDone: false }))
    expect((await read(id)).reading).toEqual(complete)
    await save(id, makeReading([block('ls')], { readMs: 20_000 }))
    expect((await read(id)).reading?.blocks.map(({ text }) => text)).toEqual(['ls', 'pwd'])
    expect(await listObjects(id)).toHaveLength(1)
  })

  it('stores no key, password, card or address, and says when one is visible', async () => {
    const { id } = await seedModule()
    const key = `sk-proj-${'a1B2'.repeat(6)}`
    await save(id, makeReading([block(`export OPENAI_API_KEY=${key}`), block('ls')]))
    const { reading } = await read(id)
    expect(reading?.blocks.map(({ text }) => text)).toEqual(['ls'])
    expect(reading?.secrets).toEqual([{ startMs: 1_000, endMs: 3_000, kind: 'key' }])
    const [stored = ''] = await listObjects(id)
    expect(await (await env.MEDIA.get(stored))?.text()).not.toContain(key)
  })

  it('refuses more than half a megabyte', async () => {
    const { id } = await seedModule()
    const { path, options } = put(id, makeReading(Array.from({ length: 1_500 }, () => block('word '.repeat(90)))))
    expect(await problemOf(path, options)).toMatchObject({ status: 413 })
    expect(await listObjects(id)).toEqual([])
  })

  it('is for owners: a viewer finds nothing and stores nothing', async () => {
    const { id } = await seedModule()
    await save(id, makeReading([block('ls')]))
    const path = `/api/modules/${id}/screen`
    expect((await call(path, { as: 'user_other' })).status).toBe(404)
    expect((await call(path, { as: 'user_other', method: 'PUT', json: makeReading([]) })).status).toBe(404)
    expect((await read(id)).reading?.blocks).toHaveLength(1)
  })

  it('removes and refuses readings where the owner wants none', async () => {
    const { id } = await seedModule()
    await save(id, makeReading([block('ls')]))
    await answerOf(Done, `/api/modules/${id}`, { as, method: 'PATCH', json: { readsScreen: false } })
    expect(await read(id)).toMatchObject({ readsScreen: false, reading: null })
    const { path, options } = put(id, makeReading([block('ls')]))
    expect(await problemOf(path, options)).toMatchObject({ status: 409 })
    expect(await listObjects(id)).toEqual([])
  })

  it('leaves nothing behind when the module is erased', async () => {
    const { id } = await seedModule()
    await save(id, makeReading([block('ls')]))
    const module = await findModule(openDb(env.DB), id)
    await removeModuleObjects(env.MEDIA, module as NonNullable<typeof module>)
    expect(await listObjects(id)).toEqual([])
  })
})

describe('scenes of a video without speech', () => {
  it('are titled by what the screen newly shows, and stay scenes', async () => {
    const silent = { durationMs: 60_000, status: 'FAILED', runStatus: 'FAILED', failureCode: 'no_narration' } as const
    const { id } = await seedModule(silent)
    const put = { as, method: 'PUT', json: { starts: [0, 20] } }
    await answerOf(ProposalsAnswer, `/api/steps/${id}/proposals`, put)
    const titles = async () => {
      const { proposals } = await answerOf(ProposalsAnswer, `/api/steps/${id}/proposals`, { as })
      return proposals.map(({ title, suggestedTitle }) => [title, suggestedTitle])
    }
    expect(await titles()).toEqual([
      ['', undefined],
      ['', undefined],
    ])
    await save(id, makeReading([{ ...block('Page setup'), startMs: 21_000, endMs: 24_000, kind: 'label' }]))
    expect(await titles()).toEqual([
      ['', undefined],
      ['', 'Page setup'],
    ])
    expect(await findModule(openDb(env.DB), id)).toMatchObject({ status: 'FAILED' })
  })
})

describe('PUT /api/modules/{moduleId}/screen/corrections', () => {
  const AS_READ = {
    readText: 'man -k directary',
    startMs: 1_000,
    endMs: 3_000,
    text: null,
    kind: null,
    isHidden: false,
  }
  const correct = (id: string, fields: Partial<ScreenCorrection>) =>
    answerOf(Done, `/api/modules/${id}/screen/corrections`, { as, method: 'PUT', json: { ...AS_READ, ...fields } })
  const counted = async (id: string) => {
    const module = await findModule(openDb(env.DB), id)
    const blocks = await readBlocks({ bucket: env.MEDIA, db: openDb(env.DB) }, module as NonNullable<typeof module>)
    return blocks.map(({ text, kind }) => `${kind} ${text}`)
  }
  const versionOf = async (id: string) => (await findModule(openDb(env.DB), id))?.stepsVersion ?? 0

  async function seedRead(): Promise<string> {
    const { id } = await seedModule({ status: 'READY' })
    await save(id, makeReading([{ ...block('man -k directary'), kind: 'label' }, block('ls')]))
    return id
  }

  it('counts for everyone, and for a later reading, until it is taken back', async () => {
    const id = await seedRead()
    const version = await versionOf(id)
    await correct(id, { text: 'man -k directory', kind: 'command' })
    expect(await counted(id)).toEqual(['command man -k directory', 'command ls'])
    expect(await versionOf(id)).toBe(version + 1)
    await save(id, makeReading([{ ...block('man -k directary'), startMs: 1_500, kind: 'label' }]))
    expect(await counted(id)).toEqual(['command man -k directory'])
    expect(await read(id)).toMatchObject({
      reading: { blocks: [{ text: 'man -k directary' }] },
      corrections: [{ ...AS_READ, text: 'man -k directory', kind: 'command' }],
    })
    await correct(id, { isHidden: true })
    expect(await counted(id)).toEqual([])
    await correct(id, {})
    expect(await counted(id)).toEqual(['label man -k directary'])
    expect((await read(id)).corrections).toEqual([])
  })

  it('stores nothing that looks like a secret, nothing of a module that is processed, and nothing of others', async () => {
    const id = await seedRead()
    const put = (of: string, by: string, text: string) =>
      problemOf(`/api/modules/${of}/screen/corrections`, { as: by, method: 'PUT', json: { ...AS_READ, text } })
    expect(await put(id, as, 'password: hunter2')).toMatchObject({ status: 400 })
    expect(await put(id, 'user_other', 'x')).toMatchObject({ status: 404 })
    const { id: processed } = await seedModule()
    expect(await put(processed, as, 'x')).toMatchObject({ code: 'steps_not_ready' })
    expect((await read(id)).corrections).toEqual([])
  })

  it('goes with the reading where the owner wants none, and with the module', async () => {
    const rows = (id: string) =>
      env.DB.prepare('SELECT count(*) AS count FROM screen_corrections WHERE module_id = ?').bind(id).first('count')
    const [off, erased] = [await seedRead(), await seedRead()]
    for (const id of [off, erased]) await correct(id, { isHidden: true })
    await answerOf(Done, `/api/modules/${off}`, { as, method: 'PATCH', json: { readsScreen: false } })
    await removeScreenCorrections(openDb(env.DB), erased)
    expect([await rows(off), await rows(erased)]).toEqual([0, 0])
  })
})

describe('an area that is ignored', () => {
  const patch = (id: string, ignoredArea: ScreenArea | null) =>
    answerOf(Done, `/api/modules/${id}`, { as, method: 'PATCH', json: { ignoredArea } })
  const texts = async (id: string) => (await read(id)).reading?.blocks.map(({ text }) => text)
  const at = (text: string, x: number, y: number) => ({ ...block(text), box: { x, y, width: 0.2, height: 0.02 } })

  it('has no text stored: neither what was read there before, nor what is read later', async () => {
    const { id } = await seedModule()
    const reading = makeReading([at('Inbox (3)', 0.75, 0.1), at('ls -a', 0.1, 0.5)])
    await save(id, reading)
    const area = { x: 0.7, y: 0, width: 0.3, height: 0.3 }
    await patch(id, area)
    expect(await texts(id)).toEqual(['ls -a'])
    await save(id, reading)
    expect(await texts(id)).toEqual(['ls -a'])
    expect(await read(id)).toMatchObject({ ignoredArea: area })
    expect(await listObjects(id)).toHaveLength(1)
    // As a call does that began before the area was chosen.
    const before = { id, sourceKey: `src/${id}/source`, ignoredArea: null, screenKey: null }
    await saveReading({ d1: env.DB, bucket: env.MEDIA }, before, reading)
    expect(await texts(id)).toEqual(['ls -a'])
    expect(await listObjects(id)).toHaveLength(1)
    await patch(id, null)
    await save(id, reading)
    expect(await texts(id)).toEqual(['Inbox (3)', 'ls -a'])
  })
})

describe('PUT /api/account/screen', () => {
  /** An organization of its own, a member, and who manages it. */
  function makeOrg() {
    const orgId = `org_${nanoid(8)}`
    const admin = { as: `user_${nanoid(8)}`, orgId, orgRole: 'org:admin' }
    const member = { as: `user_${nanoid(8)}`, orgId, orgRole: 'org:member' }
    const path = (id: string) => `/api/modules/${id}/screen`
    return {
      admin,
      member,
      seed: () => seedModule({ userId: member.as, orgId }),
      change: (readsScreen: boolean) =>
        answerOf(Done, '/api/account/screen', { ...admin, method: 'PUT', json: { readsScreen } }),
      patch: (id: string, readsScreen: boolean) =>
        answerOf(Done, `/api/modules/${id}`, { ...member, method: 'PATCH', json: { readsScreen } }),
      read: (id: string, caller = member) => answerOf(ScreenAnswer, path(id), caller),
      put: (id: string) => call(path(id), { ...member, method: 'PUT', json: makeReading([block('ls')]) }),
    }
  }

  it('switches reading off for existing and new modules, removes what was read, and on again', async () => {
    const org = makeOrg()
    const { id } = await org.seed()
    expect((await org.put(id)).status).toBe(200)
    await org.change(false)
    expect(await org.read(id)).toMatchObject({ readsScreen: false, reading: null })
    expect(await listObjects(id)).toEqual([])
    const { id: later } = await org.seed()
    expect((await org.put(later)).status).toBe(409)
    await org.change(true)
    expect((await org.put(later)).status).toBe(200)
  })

  it('leaves modules with a switch of their own, and other organizations, as they are', async () => {
    const [org, other] = [makeOrg(), makeOrg()]
    const [on, off, elsewhere] = [await org.seed(), await org.seed(), await other.seed()]
    await org.patch(on.id, true)
    await org.patch(off.id, false)
    await org.put(on.id)
    await other.put(elsewhere.id)
    await org.change(false)
    expect(await org.read(on.id)).toMatchObject({ readsScreen: true, reading: { isDone: true } })
    expect(await other.read(elsewhere.id)).toMatchObject({ readsScreen: true, reading: { isDone: true } })
    await org.change(true)
    expect(await org.read(off.id)).toMatchObject({ readsScreen: false })
    // What is switched off itself can be switched on where the organization wants none.
    await org.change(false)
    await org.patch(off.id, true)
    expect((await org.put(off.id)).status).toBe(200)
  })

  it('is for those who manage the modules of an organization, and says so', async () => {
    const org = makeOrg()
    const { id } = await org.seed()
    const json = { readsScreen: false }
    for (const caller of [org.member, { as }])
      expect((await call('/api/account/screen', { ...caller, method: 'PUT', json })).status).toBe(404)
    expect((await org.read(id)).organization).toEqual({ readsScreen: true, mayChange: false })
    expect((await org.read(id, org.admin)).organization).toEqual({ readsScreen: true, mayChange: true })
    expect((await read((await seedModule()).id)).organization).toBeNull()
  })

  it('keeps the glossary, and is kept where the organization has no module', async () => {
    const org = makeOrg()
    await answerOf(Done, '/api/account/glossary', { ...org.admin, method: 'PUT', json: { words: 'Klaro' } })
    await org.change(false)
    await removeUnusedSettings(env.DB, Date.now() + 1_000)
    expect(await answerOf(GlossaryAnswer, '/api/account/glossary', org.admin)).toMatchObject({ words: 'Klaro' })
    await org.change(true)
    await removeUnusedSettings(env.DB, Date.now() + 1_000)
    expect(await answerOf(GlossaryAnswer, '/api/account/glossary', org.admin)).toMatchObject({ words: '' })
  })
})
