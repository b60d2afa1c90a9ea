// Behaviour: deleting, listing and restoring modules, and what old links to them get.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LiveTicketAnswer } from '#contract/live.ts'
import { DeletedListAnswer, Done, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { takeToErase } from '#worker/domain/lifecycle/erase-module.ts'
import { RESTORABLE_MS, restoreRow } from '#worker/domain/module/deleted-store.ts'

const ORG = 'org_deleting'
const DAY_MS = 24 * 60 * 60_000

const remove = (as: string, id: string) => answerOf(Done, `/api/modules/${id}`, { as, method: 'DELETE' })
const restore = (as: string, id: string) => call(`/api/modules/${id}/restore`, { as, method: 'POST' })
const rowOf = (id: string) => env.DB.prepare('SELECT * FROM modules WHERE id = ?').bind(id).first()

async function deletedOf(as: string, options = {}): Promise<string[]> {
  const { modules } = await answerOf(DeletedListAnswer, '/api/modules/deleted', { as, ...options })
  return modules.map(({ id }) => id)
}

/** As if it had been deleted so long ago. */
function age(id: string, ms: number) {
  return env.DB.prepare('UPDATE deleted_modules SET deleted_at = deleted_at - ? WHERE id = ?').bind(ms, id).run()
}

describe('GET /api/modules/deleted', () => {
  it('lists the modules that the caller can restore, the last deleted first, and until when', async () => {
    const as = 'user_lists_deleted'
    const ids = [await seedModule({ userId: as, title: 'One' }), await seedModule({ userId: as })].map(({ id }) => id)
    for (const id of ids) await remove(as, id)
    await age(ids[0] ?? '', DAY_MS)
    const { modules } = await answerOf(DeletedListAnswer, '/api/modules/deleted', { as })
    expect(modules.map(({ id }) => id)).toEqual(ids.toReversed())
    const one = modules[1]
    expect(one?.title).toBe('One')
    expect(Date.parse(one?.restorableUntil ?? '') - Date.parse(one?.deletedAt ?? '')).toBe(7 * DAY_MS)
    expect(await deletedOf('user_other')).toEqual([])
  })

  it("shows an organization's to its admins, and to a member only the member's own", async () => {
    const { id } = await seedModule({ userId: 'user_uploader', orgId: ORG })
    await remove('user_uploader', id)
    const inOrg = { orgId: ORG, orgRole: 'org:member' }
    expect(await deletedOf('user_admin', { ...inOrg, orgRole: 'org:admin' })).toEqual([id])
    expect(await deletedOf('user_member', inOrg)).toEqual([])
    expect(await deletedOf('user_uploader', inOrg)).toEqual([id])
  })

  it("follows the active organization, without which it shows all of the caller's", async () => {
    const as = 'user_switches'
    const { id: ours } = await seedModule({ userId: as, orgId: ORG, deletedAt: Date.now() - 2_000 })
    const { id: own } = await seedModule({ userId: as, deletedAt: Date.now() - 1_000 })
    expect(await deletedOf(as, { orgId: ORG, orgRole: 'org:member' })).toEqual([ours])
    expect(await deletedOf(as, { orgId: 'org_empty', orgRole: 'org:admin' })).toEqual([])
    expect(await deletedOf(as)).toEqual([own, ours])
  })
})

describe('POST /api/modules/{id}/restore', () => {
  it('brings a module back exactly as it was, with its steps and its link', { tags: 'spec-7.4' }, async () => {
    const { as, moduleId } = await seedTutored({ title: 'Wheels', progress: 100 })
    const before = await rowOf(moduleId)
    const shared = await answerOf(ShareAnswer, `/api/share/${moduleId}`)
    await remove(as, moduleId)
    expect(await rowOf(moduleId)).toBeNull()
    expect((await restore(as, moduleId)).status).toBe(200)
    expect(await rowOf(moduleId)).toEqual({ ...before, updated_at: expect.any(Number) })
    expect(await answerOf(ShareAnswer, `/api/share/${moduleId}`)).toEqual(shared)
    expect(await deletedOf(as)).toEqual([])
  })

  it('leaves a module un-shared that was', async () => {
    const { as, moduleId } = await seedTutored({ shared: false })
    await remove(as, moduleId)
    await restore(as, moduleId)
    expect(await problemOf(`/api/share/${moduleId}`)).toMatchObject({ status: 404 })
  })

  it('may be asked for twice, also at the same moment', async () => {
    const { as, moduleId } = await seedTutored()
    await remove(as, moduleId)
    const answers = await Promise.all([restore(as, moduleId), restore(as, moduleId)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await restore(as, moduleId)).status).toBe(200)
  })

  it('answers callers who may not delete as for a module that does not exist', async () => {
    const { as, moduleId } = await seedTutored({ orgId: ORG })
    await remove(as, moduleId)
    const missing = JSON.stringify({ ...(await problemOf('/api/modules/none/restore', { as, method: 'POST' })) })
    const member = { as: 'user_member', orgId: ORG, orgRole: 'org:member', method: 'POST' }
    for (const caller of [member, { as: 'user_stranger', method: 'POST' }]) {
      const problem = await problemOf(`/api/modules/${moduleId}/restore`, caller)
      expect(problem).toEqual({ ...JSON.parse(missing), requestId: problem.requestId })
    }
    expect(await rowOf(moduleId)).toBeNull()
  })

  it('is over after seven days', async () => {
    const { as, moduleId } = await seedTutored()
    await remove(as, moduleId)
    await age(moduleId, RESTORABLE_MS)
    expect(await deletedOf(as)).toEqual([])
    expect((await restore(as, moduleId)).status).toBe(404)
  })

  it('POST /api/modules/{id}/restore and the end of its time come at the same moment: one of them wins', {
    tags: 'fault-18',
  }, async () => {
    const db = openDb(env.DB)
    const { as, moduleId } = await seedTutored()
    await remove(as, moduleId)
    const nowMs = Date.now() + RESTORABLE_MS
    const caller = { userId: as, orgId: null, orgRole: null, orgPermissions: [] }
    const [back, toErase] = await Promise.all([
      restoreRow(db, caller, { moduleId, nowMs: nowMs - 1_000 }),
      takeToErase({ db, nowMs: () => nowMs + 1_000 }),
    ])
    const isErased = toErase.some(({ id }) => id === moduleId)
    expect([back !== null, isErased].filter(Boolean)).toHaveLength(1)
    expect((await rowOf(moduleId)) !== null).toBe(back !== null)
  })
})

describe('tickets and addresses from before a module was deleted', () => {
  it('open nothing any more, and open again once it is restored', { tags: ['guarantee-G7', 'spec-1.2'] }, async () => {
    const { as, moduleId } = await seedTutored()
    const object = await env.MEDIA.put(`src/${moduleId}/source`, 'video')
    await env.DB.prepare('UPDATE modules SET source_etag = ?, source_size_bytes = 5 WHERE id = ?')
      .bind(object?.etag, moduleId)
      .run()
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/module/${moduleId}`, { as })
    const { ticket } = await answerOf(LiveTicketAnswer, `/api/modules/${moduleId}/live-ticket`, { as, method: 'POST' })
    const open = () =>
      call(`/api/modules/${moduleId}/live?ticket=${ticket}`, { headers: { upgrade: 'websocket' }, method: 'GET' })
    const live = await open()
    const socket = live.webSocket
    expect(socket).not.toBeNull()
    socket?.accept()
    const closed = new Promise<number>((resolve) => socket?.addEventListener('close', ({ code }) => resolve(code)))
    await remove(as, moduleId)
    expect(await closed).toBe(1012)
    expect((await open()).status).toBe(404)
    expect((await call(url)).status).toBe(404)
    expect(await env.MEDIA.head(`src/${moduleId}/source`)).not.toBeNull()
    await restore(as, moduleId)
    const video = await call(url)
    expect([video.status, await (await video.blob()).text()]).toEqual([200, 'video'])
  })
})

describe('DELETE /api/upload/{id}', () => {
  it('DELETE /api/upload/{id} of an upload that has ended is a deletion like any other', async () => {
    const { as, moduleId } = await seedTutored()
    await answerOf(Done, `/api/upload/${moduleId}`, { as, method: 'DELETE' })
    expect(await rowOf(moduleId)).toBeNull()
    expect((await restore(as, moduleId)).status).toBe(200)
  })

  it('DELETE /api/upload/{id} of one that is under way is for good', async () => {
    const { id, userId } = await seedModule({ sourceEtag: null, run: 0, userId: 'user_cancels' })
    await env.MEDIA.put(`src/${id}/source`, 'late')
    await answerOf(Done, `/api/upload/${id}`, { as: userId, method: 'DELETE' })
    expect(await env.MEDIA.head(`src/${id}/source`)).toBeNull()
    expect(await deletedOf(userId)).toEqual([])
    expect((await restore(userId, id)).status).toBe(404)
  })
})
