import { applyD1Migrations, createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { laggingD1 } from '#worker/db/testing/lagging-d1.ts'
import { hashPassword, unlockLink } from '#worker/domain/module/link-password.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { shareTag } from '#worker/domain/share/forget-share.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { LINK_TOKEN_HEADER } from '#worker/http/share-edge.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { createShareOrigin } from '#worker/routes/share-origin.ts'
import { upsertOutcome } from '../health/outcome-store.ts'
import { NEAR_AGE_MAX_S, readNear } from './read-near.ts'

const DB_READ_REPLICATION = 'auto'
const START_MS = Date.now()

// Another database of this runtime is the copy.
beforeAll(() => applyD1Migrations(env.SEARCH, env.TEST_MIGRATIONS))

/** An edge far from the database, whose nearest copy gets only what a test replicates, with a clock of its own. */
function openFar() {
  let nowMs = START_MS
  const { d1, replicate } = laggingD1(env.DB, env.SEARCH)
  const edge = new EdgeCacheStandIn(() => nowMs)
  const origin = createShareOrigin({ nowMs: () => nowMs })
  return {
    d1,
    replicate: (id: string) =>
      replicate([
        { table: 'outcomes', where: "part = 'sweep'" },
        { table: 'modules', where: `id = '${id}'` },
        { table: 'steps', where: `module_id = '${id}'` },
      ]),
    /** As each minute's sweep does at its end. */
    sweep: () => upsertOutcome(env.DB, { part: 'sweep', code: null, nowMs }),
    goTo: (seconds: number) => {
      nowMs = START_MS + seconds * 1000
    },
    now: () => nowMs,
    purge: (id: string) => edge.purge([shareTag(id)]),
    /** Past the edge, as a visitor who has entered a password. */
    async askWith(token: string, path: string) {
      const ctx = createExecutionContext()
      const request = new Request(`https://share.edge${path}`, { headers: { [LINK_TOKEN_HEADER]: token } })
      const answer = await origin.fetch(request, { ...env, DB: d1, DB_READ_REPLICATION }, ctx)
      await answer.text()
      await waitOnExecutionContext(ctx)
      return answer.status
    },
    async ask(path: string) {
      const ctx = createExecutionContext()
      const answer = await edge.answer({
        request: new Request(`https://share.edge${path}`),
        origin: async (request) => origin.fetch(request, { ...env, DB: d1, DB_READ_REPLICATION }, ctx),
        waitUntil: (work) => ctx.waitUntil(work),
      })
      const text = await answer.text()
      await waitOnExecutionContext(ctx)
      return { status: answer.status, text, life: answer.headers.get('cloudflare-cdn-cache-control') }
    },
  }
}

const change = (id: string, set: string) => env.DB.prepare(`UPDATE modules SET ${set} WHERE id = ?`).bind(id).run()

async function seedFar(fields: Parameters<typeof seedModule>[0] = {}) {
  const far = openFar()
  const { id } = await seedModule({ status: 'READY', title: 'Before', ...fields })
  await far.sweep()
  await far.replicate(id)
  return { ...far, id }
}

describe('a shared page that is read far from the database', () => {
  it('comes out of the near copy, and is kept for what is left of the minute', async () => {
    const far = await seedFar()
    far.goTo(20)
    await change(far.id, `title = 'After'`)
    const page = await far.ask(`/share/${far.id}`)
    expect(page.text).toContain('Before · Adapt')
    expect(page.life).toBe('max-age=20, stale-while-revalidate=20, stale-if-error=0')
  })

  it.each([0, 10, 35, NEAR_AGE_MAX_S])(
    'is gone within a minute after un-sharing, with a purge that a copy which never catches up fills %i s after the sweep',
    { tags: ['guarantee-G7', 'fault-41'] },
    async (sweptAgoS) => {
      const far = await seedFar()
      const paths = [`/share/${far.id}`, `/embed/${far.id}`, `/grant/${far.id}`]
      far.goTo(sweptAgoS)
      await change(far.id, 'shared = 0')
      await far.purge(far.id)
      // The danger: what was purged is filled again, out of a copy that does not know of it.
      for (const path of paths) expect((await far.ask(path)).status, path).toBe(200)
      for (const second of [31, 45, 59.9]) {
        far.goTo(sweptAgoS + second)
        for (const path of paths) await far.ask(path)
      }
      far.goTo(sweptAgoS + 60)
      for (const path of paths) expect((await far.ask(path)).status, path).toBe(404)
    },
  )

  it('is new within a minute after an edit, also while the copy is behind for longer', {
    tags: 'fault-42',
  }, async () => {
    const far = await seedFar()
    await change(far.id, `title = 'After'`)
    expect((await far.ask(`/share/${far.id}`)).text).toContain('Before · Adapt')
    far.goTo(45)
    await far.ask(`/share/${far.id}`)
    far.goTo(60)
    expect((await far.ask(`/share/${far.id}`)).text).toContain('After · Adapt')
  })

  it('comes from the primary where the copy may be too far behind, and where there was no sweep', async () => {
    const far = await seedFar()
    await change(far.id, `title = 'After'`)
    far.goTo(NEAR_AGE_MAX_S + 0.1)
    const page = await far.ask(`/share/${far.id}`)
    expect(page.text).toContain('After · Adapt')
    expect(page.life).toBe('max-age=30, stale-while-revalidate=30, stale-if-error=0')
    await env.SEARCH.prepare('DELETE FROM outcomes').run()
    const env_ = { DB: far.d1, DB_READ_REPLICATION }
    expect(await readNear(env_, { id: far.id, nowMs: START_MS })).toBeNull()
  })

  it('comes from the primary where the copy does not have it yet, or has it as being made', async () => {
    const fresh = openFar()
    const { id } = await seedModule({ status: 'READY' })
    await fresh.sweep()
    expect((await fresh.ask(`/share/${id}`)).status).toBe(200)
    const made = await seedFar({ status: 'PROCESSING' })
    await change(made.id, `status = 'READY', title = 'After'`)
    expect((await made.ask(`/share/${made.id}`)).text).toContain('After · Adapt')
  })

  it('comes from the primary where no copy can be read, which the log says', async () => {
    const far = await seedFar()
    const broken = { withSession: () => faultyD1(env.DB, () => 'not done') } as unknown as D1Database
    let near: unknown
    const lines = await linesOf(async () => {
      near = await readNear({ DB: broken, DB_READ_REPLICATION }, { id: far.id, nowMs: START_MS })
    })
    expect(near).toBeNull()
    expect(lines).toMatchObject([{ level: 'warn', event: 'near_unread', code: 'database_away' }])
  })

  it('opens with the password that holds now, while the copy knows the one before', async () => {
    const setPassword = async (id: string, password: string) => {
      await env.DB.prepare('UPDATE modules SET link_password = ? WHERE id = ?')
        .bind(await hashPassword(password), id)
        .run()
      const module = await findModule(openDb(env.DB), id)
      if (module === null) throw new Error('The module is missing.')
      return (await unlockLink(openContext(env), module, password)) ?? ''
    }
    const far = await seedFar()
    const before = await setPassword(far.id, 'Werkbank 7')
    await far.replicate(far.id)
    const now = await setPassword(far.id, 'Werkbank 8')
    for (const path of [`/share/${far.id}`, `/grant/${far.id}`]) {
      expect(await far.askWith(before, path), path).toBe(403)
      expect(await far.askWith(now, path), path).toBe(200)
    }
  })

  it('asks no copy where there is none, and none for what is no id', async () => {
    const far = await seedFar()
    const asked = { withSession: () => expect.unreachable() } as unknown as D1Database
    expect(await readNear({ DB: asked, DB_READ_REPLICATION: '' }, { id: far.id, nowMs: START_MS })).toBeNull()
    expect(await readNear({ DB: asked, DB_READ_REPLICATION }, { id: 'nonsense', nowMs: START_MS })).toBeNull()
  })

  it('has the region of the copy in its line', async () => {
    const far = await seedFar()
    const lines = await linesOf(() => far.ask(`/share/${far.id}`))
    expect(lines.filter(({ event }) => event === 'origin')).toMatchObject([{ region: 'APAC', moduleId: far.id }])
  })
})
