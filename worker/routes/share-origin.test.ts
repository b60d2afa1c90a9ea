import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { seedCaptions, seedDeletion, seedModule } from '#local/testing/modules.ts'
import { createShareOrigin } from './share-origin.ts'
import { edit, publish, seedTeam } from './testing/team.ts'

/** An edge that is never purged, with a clock of its own. */
function openUnpurged() {
  let nowMs = 0
  const edge = new EdgeCacheStandIn(() => nowMs)
  const origin = createShareOrigin()
  async function ask(path: string): Promise<{ status: number; text: string }> {
    const ctx = createExecutionContext()
    const answer = await edge.answer({
      request: new Request(`https://share.edge${path}`),
      origin: async (request) => origin.fetch(request, env, ctx),
      waitUntil: (work) => ctx.waitUntil(work),
    })
    const text = await answer.text()
    await waitOnExecutionContext(ctx)
    return { status: answer.status, text }
  }
  return {
    ask,
    goTo: (seconds: number) => {
      nowMs = seconds * 1000
    },
  }
}

function change(id: string, set: string): Promise<D1Result> {
  return env.DB.prepare(`UPDATE modules SET ${set} WHERE id = ?`).bind(id).run()
}

const WITHDRAWALS = {
  deletion: (id: string) => seedDeletion(id, Date.now()),
  'the end of sharing': (id: string) => env.DB.prepare('UPDATE modules SET shared = 0 WHERE id = ?').bind(id).run(),
}

describe('the copies of the edge without a purge', () => {
  it.each(Object.entries(WITHDRAWALS))(
    'is gone within a minute after %s',
    { tags: ['guarantee-G7', 'fault-41'] },
    async (_, withdraw) => {
      // Without visits in between, then with some: each way to the end of a minute.
      for (const visitsS of [[], [59.9], [31, 45]]) {
        const { id } = await seedModule({ status: 'READY', hasPoster: true })
        await env.MEDIA.put(`images/${id}/poster`, 'image')
        await seedCaptions(id, [{ startMs: 0, endMs: 4000, text: 'Open the lid.', confidence: null }])
        const paths = [
          `/share/${id}`,
          `/embed/${id}`,
          `/grant/${id}`,
          `/images/${id}/poster`,
          `/files/${id}/captions.vtt`,
        ]
        const edge = openUnpurged()
        for (const path of paths) expect((await edge.ask(path)).status).toBe(200)
        await withdraw(id)
        for (const second of visitsS) {
          edge.goTo(second)
          for (const path of paths) await edge.ask(path)
        }
        edge.goTo(60)
        for (const path of paths) expect((await edge.ask(path)).status, path).toBe(404)
      }
    },
  )

  it('is new within a minute after an edit', { tags: 'fault-42' }, async () => {
    const { id } = await seedModule({ status: 'READY', title: 'Before' })
    const edge = openUnpurged()
    expect((await edge.ask(`/share/${id}`)).text).toContain('Before · Adapt')
    await change(id, `title = 'After'`)
    edge.goTo(29.9)
    expect((await edge.ask(`/share/${id}`)).text).toContain('Before · Adapt')
    edge.goTo(60)
    expect((await edge.ask(`/share/${id}`)).text).toContain('After · Adapt')
  })

  it('never has a draft, nor an older version than that of a minute ago', { tags: 'fault-42' }, async () => {
    const { id, uploader } = await seedTeam('anyone')
    await edit(id, uploader, 'Open the first lid')
    await publish(id, uploader)
    const edge = openUnpurged()
    const paths = [`/share/${id}`, `/embed/${id}`, `/print/${id}`, `/files/${id}/steps.md`]
    const readAll = async (second: number) => {
      edge.goTo(second)
      return Promise.all(paths.map(async (path) => (await edge.ask(path)).text.match(/Open the (\w+) lid/)?.[1]))
    }
    const each = (title: string) => paths.map(() => title)
    expect(await readAll(0)).toEqual(each('first'))
    // Kept before the edit and asked for anew after it: the draft is in neither.
    await edit(id, uploader, 'Open the second lid')
    for (const second of [10, 45, 70, 130]) expect(await readAll(second)).toEqual(each('first'))
    await publish(id, uploader)
    await edit(id, uploader, 'Open the third lid')
    expect(await readAll(130 + 60)).toEqual(each('second'))
    expect(await readAll(130 + 120)).toEqual(each('second'))
  })

  it('follows a module that is being made within ten seconds', async () => {
    const { id } = await seedModule({ status: 'PROCESSING', title: 'Made' })
    const edge = openUnpurged()
    await edge.ask(`/share/${id}`)
    await change(id, `status = 'READY', run_status = 'READY'`)
    edge.goTo(10)
    expect((await edge.ask(`/share/${id}`)).text).toContain('"status":"READY"')
  })

  it('says of a module that cannot be read that it may pass, and keeps nothing of it', {
    tags: 'fault-36',
  }, async () => {
    const away = () => {
      throw new Error('D1_ERROR: Network connection lost')
    }
    const broken = { ...env, DB: { prepare: away } }
    const answer = await createShareOrigin().fetch(
      new Request('https://share.edge/share/aaaaaaaaaaaaaaaaaaaaaa'),
      broken,
      createExecutionContext(),
    )
    expect(answer.status).toBe(503)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toContain('{"module":null,"status":503,"look":"page"}')
  })
})
