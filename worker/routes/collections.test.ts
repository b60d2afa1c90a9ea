import { env, exports } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { AccountExport, EraseAnswer } from '#contract/account.ts'
import { CollectionAnswer, CollectionListAnswer } from '#contract/collection.ts'
import { COLLECTION_MODULES_MAX, COLLECTIONS_MAX } from '#contract/limits.ts'
import { Done, NewLinkAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedDeletion, seedModule } from '#local/testing/modules.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { insertCollection } from '#worker/domain/collection/collection-store.ts'

const EDGE = exports as unknown as { SharePage: Fetcher }

type As = { as: string; orgId?: string; orgRole?: string }

async function make(by: As, moduleIds: string[] = []): Promise<string> {
  const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...by, json: { title: 'Line 4' } })
  if (moduleIds.length > 0) await change(by, collection.id, { moduleIds })
  return collection.id
}

async function change(by: As, id: string, json: object) {
  return (await answerOf(CollectionAnswer, `/api/collections/${id}`, { ...by, method: 'PATCH', json })).collection
}

async function plant(fields: Parameters<typeof seedModule>[0]): Promise<string> {
  return (await seedModule({ status: 'READY', durationMs: 60_000, ...fields })).id
}

const newOwner = (): As => ({ as: `user_${nanoid(8)}` })

async function titlesOnPage(id: string): Promise<string[]> {
  const html = await (await EDGE.SharePage.fetch(`https://share.edge/collection/${id}`)).text()
  return [...html.matchAll(/class="title">([^<]*)</g)].map(([, title = '']) => title)
}

describe('a collection', () => {
  it('is made empty and shared, listed newest first, renamed and deleted', async () => {
    const owner = newOwner()
    const [first, second] = [await make(owner), await make(owner)]
    await change(owner, first, { title: '  Press 12 ' })
    const list = async () => (await answerOf(CollectionListAnswer, '/api/collections', owner)).collections
    const head = { shared: true, mayDelete: true, moduleCount: 0 }
    const ofFirst = { ...head, id: first, title: 'Press 12', shareUrl: `/share/c/${first}` }
    expect((await list()).toSorted((a, b) => a.title.localeCompare(b.title))).toEqual([
      { ...head, id: second, title: 'Line 4', shareUrl: `/share/c/${second}` },
      ofFirst,
    ])
    await answerOf(Done, `/api/collections/${second}`, { ...owner, method: 'DELETE' })
    expect(await list()).toEqual([ofFirst])
    expect((await problemOf(`/api/collections/${second}`, owner)).code).toBe('not_found')
  })

  it('keeps the order of its modules, each once, and leaves out what its owner does not have', async () => {
    const owner = newOwner()
    const [a, b] = [await plant({ userId: owner.as, title: 'A' }), await plant({ userId: owner.as, title: 'B' })]
    const foreign = await plant({ userId: 'user_other', title: 'Foreign' })
    const id = await make(owner)
    const { modules } = await change(owner, id, { moduleIds: [b, foreign, a, b, 'x'.repeat(22)] })
    expect(modules.map(({ title, role }) => [title, role])).toEqual([
      ['B', 'owner'],
      ['A', 'owner'],
    ])
    expect((await change(owner, id, { moduleIds: [a, b] })).modules.map((each) => each.id)).toEqual([a, b])
  })

  it('loses a module that is deleted, and has it again when that is restored', async () => {
    const owner = newOwner()
    const moduleId = await plant({ userId: owner.as })
    const id = await make(owner, [moduleId])
    await seedDeletion(moduleId, Date.now())
    const count = async () =>
      (await answerOf(CollectionListAnswer, '/api/collections', owner)).collections[0]?.moduleCount
    expect(await count()).toBe(0)
    await answerOf(Done, `/api/modules/${moduleId}/restore`, { ...owner, method: 'POST' })
    expect(await count()).toBe(1)
    expect((await answerOf(CollectionAnswer, `/api/collections/${id}`, owner)).collection.modules).toHaveLength(1)
  })

  it('belongs to the organization alone in which it was made, also for the person who made it', async () => {
    const orgId = `org_${nanoid(8)}`
    const maker = newOwner()
    const id = await make({ ...maker, orgId })
    const colleague = { as: 'user_colleague', orgId }
    expect((await change(colleague, id, { title: 'Ours' })).mayDelete).toBe(false)
    expect((await problemOf(`/api/collections/${id}`, { ...colleague, method: 'DELETE' })).code).toBe('not_found')
    expect((await problemOf(`/api/collections/${id}`, maker)).code).toBe('not_found')
    expect((await answerOf(CollectionListAnswer, '/api/collections', maker)).collections).toEqual([])
  })

  it('is refused with an empty title, too many modules, or beyond the most of one owner', async () => {
    const owner = newOwner()
    const id = await make(owner)
    const patch = { ...owner, method: 'PATCH' }
    const tooMany = Array.from({ length: COLLECTION_MODULES_MAX + 1 }, (_, index) => `${index}`)
    for (const json of [{ title: ' ' }, { moduleIds: tooMany }, {}, { owner: 'x' }])
      expect((await problemOf(`/api/collections/${id}`, { ...patch, json })).code).toBe('invalid_request')
    const row = { userId: owner.as, orgId: null, title: 'One more', createdAt: 1 }
    for (let count = 1; count < COLLECTIONS_MAX; count++)
      await insertCollection(openDb(env.DB), { ...row, id: nanoid(22) })
    const refused = await problemOf('/api/collections', { ...owner, json: { title: 'One too many' } })
    expect(refused.detail).toBe('There are 200 collections already. Delete one to make another.')
  })

  it('is exported with its account, and erased with it or left to its organization', async () => {
    const owner = newOwner()
    const orgId = `org_${nanoid(8)}`
    const moduleId = await plant({ userId: owner.as })
    const own = await make(owner, [moduleId])
    const ours = await make({ ...owner, orgId })
    const { collections } = await answerOf(AccountExport, '/api/account/export', owner)
    expect(collections.map((each) => [each.id, each.moduleIds, each.organizationId])).toEqual(
      [
        [own, [moduleId], null],
        [ours, [], orgId],
      ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
    expect((await call(`/share/c/${own}`)).status).toBe(200)
    const erase = { ...owner, method: 'DELETE', json: { confirm: 'erase' } }
    expect((await answerOf(EraseAnswer, '/api/account', erase)).isDone).toBe(true)
    expect((await call(`/share/c/${own}`)).status).toBe(404)
    const left = await env.DB.prepare('SELECT user_id FROM collections WHERE id = ?')
      .bind(ours)
      .first<string>('user_id')
    expect(left).toMatch(/^erased_/)
  })
})

describe('GET /share/c/{id}', () => {
  it('lists what is shared of it in order, with lengths and steps, and nothing else', {
    tags: 'threat-3',
  }, async () => {
    const owner = newOwner()
    const { moduleId: tyre } = await seedTutored({ userId: owner.as, title: 'Change <a> tyre', hasPoster: true })
    const hidden = await plant({ userId: owner.as, title: 'Hidden', shared: false })
    const failed = await plant({ userId: owner.as, title: 'Failed', status: 'FAILED' })
    const filter = await plant({ userId: owner.as, title: 'Filter' })
    const id = await make(owner, [filter, hidden, failed, tyre])
    const answer = await call(`/share/c/${id}`)
    const html = await answer.text()
    expect(await titlesOnPage(id)).toEqual(['Filter', 'Change &lt;a&gt; tyre'])
    expect(html).toContain('2 trainings · 3:00')
    expect(html).toContain(`href="/share/${tyre}?collection=${id}"`)
    expect(html).toContain(`src="/share/${tyre}/images/poster"`)
    expect(html).toMatch(/1:00 · Being prepared[^]*2:00 · \d+ steps/)
    expect(html).not.toMatch(new RegExp(`${owner.as}|${hidden}`))
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('ends with its link, by the page of a training that is not there', async () => {
    const owner = newOwner()
    const id = await make(owner)
    expect(await (await call(`/share/c/${id}`)).text()).toContain('There is nothing in this collection yet.')
    await change(owner, id, { shared: false })
    const ended = await call(`/share/c/${id}`)
    const missing = await call(`/share/${'x'.repeat(22)}`)
    expect([ended.status, await ended.text()]).toEqual([404, await missing.text()])
  })

  it('follows at once when one of its modules is taken back, and soon when one is renamed', async () => {
    const owner = newOwner()
    const [a, b] = [await plant({ userId: owner.as, title: 'A' }), await plant({ userId: owner.as, title: 'B' })]
    const id = await make(owner, [a, b])
    const cached = async () => (await call(`/share/c/${id}`)).headers.get('cf-cache-status')
    expect([await cached(), await cached()]).toEqual(['MISS', 'HIT'])
    await answerOf(Done, `/api/modules/${a}`, { ...owner, method: 'PATCH', json: { shared: false } })
    expect(await cached()).toBe('MISS')
    expect(await titlesOnPage(id)).toEqual(['B'])
  })

  it('leads back from a training of it, and from no other', async () => {
    const owner = newOwner()
    const [inside, outside] = [await plant({ userId: owner.as }), await plant({ userId: owner.as })]
    const id = await make(owner, [inside])
    await change(owner, id, { title: 'Line <4>' })
    const pageOf = async (moduleId: string, query: string) => (await call(`/share/${moduleId}${query}`)).text()
    expect(await pageOf(inside, `?collection=${id}`)).toMatch(
      new RegExp(`<a href="/share/c/${id}"[^>]*>.*Back to </span>Line &lt;4&gt;`),
    )
    for (const [moduleId, query] of [
      [inside, ''],
      [inside, '?collection=../x'],
      [outside, `?collection=${id}`],
      [inside, `?collection=${'x'.repeat(22)}`],
    ] as const)
      expect(await pageOf(moduleId, query)).not.toContain('Back to')
  })

  it('leads back from a training whose link was replaced', async () => {
    const owner = newOwner()
    const moduleId = await plant({ userId: owner.as })
    const id = await make(owner, [moduleId])
    const json = { forwards: false }
    const { shareUrl } = await answerOf(NewLinkAnswer, `/api/modules/${moduleId}/link`, { ...owner, json })
    const html = await (await call(`/share/c/${id}`)).text()
    expect(html).toContain(`href="${shareUrl}?collection=${id}"`)
    expect(await (await call(`${shareUrl}?collection=${id}`)).text()).toContain('Back to')
  })
})
