// Behaviour: the list of trainings that a person has opened.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { AccountExport } from '#contract/account.ts'
import { OPENED_MODULES_MAX } from '#contract/limits.ts'
import { ModuleListAnswer, OpenedListAnswer } from '#contract/module.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { openLearnerPage, seedLessons, sendReport } from '#local/testing/learners.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { recordOpened } from '#worker/domain/opened/opened-store.ts'

const PATH = '/api/opened-modules'
const newLearner = () => `user_${nanoid(8)}`
const listOf = async (as: string, who = {}) => (await answerOf(OpenedListAnswer, PATH, { as, ...who })).modules
const idsOf = async (as: string, who = {}) => (await listOf(as, who)).map(({ id }) => id)
const open = (as: string, id: string, who = {}) => call(`${PATH}/${id}`, { as, method: 'PUT', ...who })
const remove = (as: string, id: string) => call(`${PATH}/${id}`, { as, method: 'DELETE' })
const rowsOf = async (column: 'user_id' | 'module_id', value: string) =>
  (await env.DB.prepare(`SELECT * FROM opened_modules WHERE ${column} = ?`).bind(value).all()).results

describe('GET /api/opened-modules', () => {
  it('lists the trainings of others that the caller opened, the last opened first', async () => {
    const as = newLearner()
    const first = await seedModule({ title: 'First', status: 'READY', durationMs: 90_000, hasPoster: true })
    const second = await seedModule({ status: 'READY' })
    for (const { id } of [first, second]) expect((await open(as, id)).status).toBe(200)
    await env.DB.prepare('UPDATE opened_modules SET opened_at = 1 WHERE module_id = ?').bind(first.id).run()
    expect(await idsOf(as)).toEqual([second.id, first.id])
    await open(as, first.id)
    const [newest] = await listOf(as)
    expect(newest).toMatchObject({
      id: first.id,
      title: 'First',
      trainingUrl: `/training/${first.id}`,
      totalDuration: 90,
      seenSeconds: 0,
      completedAt: null,
    })
    expect(newest?.posterUrl).toMatch(new RegExp(`^/media/${first.id}/images/poster\\?ticket=`))
    expect(await rowsOf('user_id', as)).toHaveLength(2)
    expect(await idsOf(newLearner())).toEqual([])
  })

  it("shows the caller's own progress, completed by the current threshold", async () => {
    const as = newLearner()
    const { moduleId } = await seedLessons()
    const setThreshold = (percent: number) =>
      env.DB.prepare('UPDATE modules SET completion_percent = ? WHERE id = ?').bind(percent, moduleId).run()
    await open(as, moduleId)
    expect(await listOf(as)).toMatchObject([{ seenSeconds: 0, completedAt: null }])
    await sendReport((await openLearnerPage(moduleId, { as })).next([[0, 30]]), as)
    await sendReport((await openLearnerPage(moduleId)).next([[0, 80]]))
    expect(await listOf(as)).toMatchObject([{ seenSeconds: 30, completedAt: null }])
    await setThreshold(30)
    expect(await listOf(as)).toMatchObject([{ seenSeconds: 30, completedAt: expect.any(String) }])
    await env.DB.prepare('UPDATE learners SET completed_at = 1 WHERE module_id = ?').bind(moduleId).run()
    expect(await listOf(as)).toMatchObject([{ completedAt: new Date(1).toISOString() }])
    await setThreshold(31)
    expect(await listOf(as)).toMatchObject([{ completedAt: null }])
  })

  it('leaves out modules that were un-shared or deleted, or belong to the caller by now', {
    tags: 'attack-43',
  }, async () => {
    const as = newLearner()
    const org = { orgId: `org_${nanoid(8)}` }
    const ids = await Promise.all([{}, {}, org].map(async (fields) => (await seedModule(fields)).id))
    for (const id of ids) await open(as, id)
    expect((await idsOf(as)).sort()).toEqual(ids.toSorted())
    const [unshared = '', deleted = '', ours = ''] = ids
    await env.DB.prepare('UPDATE modules SET shared = 0 WHERE id = ?').bind(unshared).run()
    await softDeleteModule(openDb(env.DB), deleted, { nowMs: Date.now(), kind: 'restorable' })
    expect(await idsOf(as)).toEqual([ours])
    expect(await idsOf(as, org)).toEqual([])
    await env.DB.prepare('UPDATE modules SET shared = 1 WHERE id = ?').bind(unshared).run()
    expect((await idsOf(as)).sort()).toEqual([unshared, ours].sort())
  })

  it("keeps a person's newest only", { tags: 'attack-42' }, async () => {
    const as = newLearner()
    const db = openDb(env.DB)
    await env.DB.prepare(
      `INSERT INTO opened_modules WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, 'old-' || i, i FROM n`,
    )
      .bind(as, OPENED_MODULES_MAX)
      .run()
    const { id } = await seedModule()
    await recordOpened(db, { userId: as, moduleId: id, openedAt: Date.now() })
    const kept = (await rowsOf('user_id', as)).map((row) => row['module_id'])
    expect(kept).toHaveLength(OPENED_MODULES_MAX)
    expect(kept).toContain(id)
    expect(kept).not.toContain('old-1')
  })
})

describe('PUT /api/opened-modules/{id}', () => {
  it('does not list the modules that the caller owns, and adds none to another list', async () => {
    const { id, userId } = await seedModule({ userId: newLearner() })
    expect((await open(userId, id)).status).toBe(200)
    expect(await rowsOf('user_id', userId)).toEqual([])
    const as = newLearner()
    await open(as, id)
    expect((await answerOf(ModuleListAnswer, '/api/modules', { as })).modules).toEqual([])
  })
})

describe('DELETE /api/opened-modules/{id}', () => {
  it("takes a training off the caller's list, and no other person's", async () => {
    const [as, other] = [newLearner(), newLearner()]
    const { id } = await seedModule()
    for (const each of [as, other]) await open(each, id)
    for (let time = 0; time < 2; time++) expect((await remove(as, id)).status).toBe(200)
    expect(await idsOf(as)).toEqual([])
    expect(await idsOf(other)).toEqual([id])
  })
})

describe('the modules that a person opened', () => {
  it('is in the export of the account, and goes with the account', async () => {
    const as = newLearner()
    const { id } = await seedModule()
    await open(as, id)
    const exported = AccountExport.parse(await (await call('/api/account/export', { as })).json())
    expect(exported.openedModules).toEqual([{ moduleId: id, openedAt: expect.any(String) }])
    await call('/api/account', { as, method: 'DELETE', json: { confirm: 'erase' } })
    expect(await rowsOf('user_id', as)).toEqual([])
  })

  it('goes with a module that is erased', { tags: 'attack-43' }, async () => {
    const as = newLearner()
    const module = await seedModule()
    await open(as, module.id)
    const db = openDb(env.DB)
    await softDeleteModule(db, module.id, { nowMs: Date.now(), kind: 'forGood' })
    await eraseModule(
      { db, bucket: env.MEDIA, rooms: env.MODULE_ROOM, search: env.SEARCH },
      { ...module, uploadId: null },
    )
    expect(await rowsOf('module_id', module.id)).toEqual([])
  })
})
