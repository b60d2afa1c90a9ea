// Behaviour: tickets for the videos and images of a person's modules.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { imageUrl } from '#contract/image-url.ts'
import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { LiveTicketAnswer } from '#contract/live.ts'
import { ModuleAnswer, ModuleListAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { openDb } from '#worker/db/db.ts'
import { VIDEO_TICKET_TTL_MS, writeTicket } from '#worker/domain/live/ticket.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { ORG, seedHidden } from '../testing/seed-hidden.ts'

const MEMBER = { as: 'user_member', orgId: ORG, orgRole: 'org:member' }

const urlPath = (id: string) => `/api/video-url/module/${id}`
const statusOf = async (url: string, cookie = '') => (await call(url, { headers: { cookie } })).status

/** The cookie that an answer brings, as a browser would send it back. */
async function cookieOf(id: string, who: { as: string; orgId?: string; orgRole?: string }) {
  const set = (await call(urlPath(id), who)).headers.get('set-cookie') ?? ''
  return { set, pair: set.split(';')[0] ?? '' }
}

/** Address of a video whose ticket has expired. */
async function expiredUrl(moduleId: string): Promise<string> {
  const holder = { role: 'owner', userId: 'user_owner', orgId: null } as const
  const ticket = { kind: 'video', moduleId, ...holder, expiresAtMs: Date.now() - 1 } as const
  return `/media/${moduleId}/video?ticket=${await writeTicket(env.TICKET_SECRET, ticket)}`
}

describe('the tickets of a person', () => {
  it('open nothing any more once the person is no owner, while those of the owners of now do', {
    tags: 'attack-34',
  }, async () => {
    const { id } = await seedHidden({ userId: 'user_before' })
    const before = { as: 'user_before' }
    const { url } = await answerOf(VideoUrlAnswer, urlPath(id), before)
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, before)
    const live = await answerOf(LiveTicketAnswer, `/api/modules/${id}/live-ticket`, { ...before, method: 'POST' })
    const { pair } = await cookieOf(id, before)
    const socket = `/api/modules/${id}/live?ticket=${live.ticket}`
    const poster = module.posterUrl ?? ''
    expect([await statusOf(url), await statusOf(poster)]).toEqual([200, 200])
    await updateModule(openDb(env.DB), id, { userId: 'user_after' })
    expect([await statusOf(url), await statusOf(poster), await statusOf(url, pair)]).toEqual([404, 404, 404])
    expect((await problemOf(socket, { headers: { upgrade: 'websocket' } })).code).toBe('not_found')
    const member = await answerOf(VideoUrlAnswer, urlPath(id), MEMBER)
    const after = await answerOf(VideoUrlAnswer, urlPath(id), { as: 'user_after' })
    expect([await statusOf(member.url), await statusOf(after.url)]).toEqual([200, 200])
  })

  it('cannot be had by a person who has left the organization, and end within a quarter of an hour', {
    tags: 'attack-34',
  }, async () => {
    const { id } = await seedHidden()
    const { url } = await answerOf(VideoUrlAnswer, urlPath(id), MEMBER)
    expect(await statusOf(url)).toBe(200)
    expect((await problemOf(urlPath(id), { as: MEMBER.as })).code).toBe('not_found')
    const [payload = ''] = new URL(url, 'http://x').searchParams.get('ticket')?.split('.') ?? []
    const ticket = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>
    expect(ticket).toMatchObject({ userId: MEMBER.as, orgId: ORG })
    expect(Number(ticket['expiresAtMs'])).toBeLessThanOrEqual(Date.now() + VIDEO_TICKET_TTL_MS)
    expect(VIDEO_TICKET_TTL_MS).toBeLessThanOrEqual(15 * 60_000)
  })

  it('of a list open the poster alone, of a module its images, and none longer than a video', {
    tags: 'attack-67',
  }, async () => {
    const { id } = await seedHidden({ userId: 'user_poster' })
    await env.MEDIA.put(`images/${id}/step-0`, 'a step')
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', { as: 'user_poster' })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: 'user_poster' })
    for (const [poster, ofStep] of [
      [modules[0]?.posterUrl ?? '', 404],
      [module.posterUrl ?? '', 200],
    ] as const) {
      expect([await statusOf(poster), await statusOf(imageUrl(poster, 'step-0'))]).toEqual([200, ofStep])
      const [payload = ''] = new URL(poster, 'http://x').searchParams.get('ticket')?.split('.') ?? []
      const ticket = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>
      const leftMs = Number(ticket['expiresAtMs']) - Date.now()
      expect(leftMs).toBeLessThanOrEqual(VIDEO_TICKET_TTL_MS)
      expect(leftMs).toBeGreaterThan(VIDEO_TICKET_TTL_MS / 2)
    }
  })

  it('are renewed while a page keeps its address: the newest one comes along with it', {
    tags: 'attack-35',
  }, async () => {
    const { id } = await seedHidden()
    const other = await seedHidden()
    const url = await expiredUrl(id)
    const { set, pair } = await cookieOf(id, { as: 'user_owner' })
    expect(set).toContain(`Path=/media/${id}`)
    for (const part of ['HttpOnly', 'SameSite=Strict', `Max-Age=${VIDEO_TICKET_TTL_MS / 1000}`]) {
      expect(set).toContain(part)
    }
    expect(await statusOf(url)).toBe(404)
    expect(await statusOf(url, pair)).toBe(200)
    const range = await call(url, { headers: { cookie: pair, range: 'bytes=2-3' } })
    expect([range.status, new TextDecoder().decode(await range.arrayBuffer())]).toEqual([206, 'vi'])
    expect(await statusOf(`/media/${id}/images/poster`, pair)).toBe(200)
    expect(await statusOf(await expiredUrl(other.id), pair)).toBe(404)
    expect(await statusOf(url, 'adapt_media=x.y')).toBe(404)
    // Two renewals may fail.
    expect(VIDEO_RENEW_MS * 3).toBeLessThanOrEqual(VIDEO_TICKET_TTL_MS)
  })

  it('are no cookie for anyone with the link', async () => {
    const { id } = await seedHidden({ shared: true })
    const answer = await call(`/api/video-url/${id}`)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
  })
})
