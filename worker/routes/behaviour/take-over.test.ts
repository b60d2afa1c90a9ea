// Behaviour: an admin takes over a module of the organization.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { VideoUrlAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { ORG, seedHidden } from '../testing/seed-hidden.ts'

const MEMBER = { as: 'user_member', orgId: ORG, orgRole: 'org:member' }
const ADMIN = { as: 'user_admin', orgId: ORG, orgRole: 'org:admin' }

describe('POST /api/modules/{id}/take-over', () => {
  const takeOver = (id: string, who: object) => call(`/api/modules/${id}/take-over`, { ...who, method: 'POST' })
  const ownerOf = (id: string) => env.DB.prepare('SELECT user_id FROM modules WHERE id = ?').bind(id).first('user_id')

  it('makes an admin the uploader, after which a person who has left the organization reaches nothing', {
    tags: 'attack-36',
  }, async () => {
    const { id } = await seedHidden({ userId: 'user_leaver' })
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/module/${id}`, { as: 'user_leaver' })
    const lines = await linesOf(async () => {
      expect((await takeOver(id, ADMIN)).status).toBe(200)
      expect((await takeOver(id, ADMIN)).status).toBe(200)
    })
    expect(await ownerOf(id)).toBe(ADMIN.as)
    const taken = { event: 'module_taken_over', moduleId: id, fromUserId: 'user_leaver', userId: ADMIN.as }
    expect(lines.filter(({ event }) => event === 'module_taken_over')).toEqual([expect.objectContaining(taken)])
    expect((await call(url)).status).toBe(404)
    expect((await problemOf(`/api/modules/${id}`, { as: 'user_leaver' })).code).toBe('not_found')
    expect((await call(`/api/modules/${id}`, { as: ADMIN.as })).status).toBe(200)
    expect((await call(`/api/modules/${id}`, MEMBER)).status).toBe(200)
  })

  it('is not for members, admins of other organizations, or modules of none', { tags: 'attack-36' }, async () => {
    const { id } = await seedHidden()
    const alone = await seedHidden({ orgId: null })
    const others = { ...ADMIN, orgId: 'org_others' }
    for (const who of [MEMBER, others, { as: 'user_owner' }]) expect((await takeOver(id, who)).status).toBe(404)
    expect((await takeOver(alone.id, ADMIN)).status).toBe(404)
    expect([await ownerOf(id), await ownerOf(alone.id)]).toEqual(['user_owner', 'user_owner'])
  })
})
