import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { SEEDED_ADMIN, SEEDED_MEMBER, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '../store/seeded-team.ts'
import { identity, openBrowser, openSignedUpBrowser } from '../testing/test-browser.ts'

async function openTeam() {
  const { browser, sessionId } = await openSignedUpBrowser()
  const { body } = await browser.post('/organizations', { name: 'Line 4' })
  return { browser, sessionId, orgId: body.response.id }
}

describe('POST /organizations', () => {
  it('makes its creator an admin', async () => {
    const { browser, orgId } = await openTeam()
    const { body } = await browser.get('/me/organization_memberships')
    expect(body.response).toMatchObject({
      total_count: 1,
      data: [{ role: 'org:admin', organization: { id: orgId, name: 'Line 4', members_count: 1 } }],
    })
    expect((await browser.get('/client')).body.response).toMatchObject({
      sessions: [{ user: { organization_memberships: [{ organization: { id: orgId } }] } }],
    })
  })

  it('gives two organizations of one name different slugs', async () => {
    const slugs = await Promise.all(
      [openTeam(), openTeam()].map(async (team) => {
        const { browser, orgId } = await team
        return (await browser.get(`/organizations/${orgId}`)).body.response.slug
      }),
    )
    expect(new Set(slugs).size).toBe(2)
  })

  it('needs a name and a session', async () => {
    const { browser } = await openSignedUpBrowser()
    expect((await browser.post('/organizations', { name: ' ' })).status).toBe(422)
    expect((await openBrowser().post('/organizations', { name: 'Anonymous' })).status).toBe(401)
  })
})

describe('GET /organizations/:id/…', () => {
  it.each(['', '/roles', '/memberships', '/invitations'])("hides another owner's organization%s", async (path) => {
    const { orgId } = await openTeam()
    const { browser } = await openSignedUpBrowser()
    expect((await browser.get(`/organizations/${orgId}${path}`)).status).toBe(404)
  })

  it('lists roles, members and invitations', async () => {
    const { browser, orgId } = await openTeam()
    const roles = await browser.get(`/organizations/${orgId}/roles`)
    expect(roles.body.response.data.map((role) => role.key)).toEqual(['org:admin', 'org:member'])
    expect((await browser.get(`/organizations/${orgId}/memberships`)).body.response.total_count).toBe(1)
    expect((await browser.get(`/organizations/${orgId}/invitations`)).body.response.total_count).toBe(0)
  })
})

describe('POST /organizations/:id/invitations', () => {
  it('lets the invited person in once they accept', async () => {
    const { browser, orgId } = await openTeam()
    const guest = await openSignedUpBrowser()
    const form = { email_address: guest.email, role: 'org:member' }
    expect((await browser.post(`/organizations/${orgId}/invitations/bulk`, form)).status).toBe(200)
    const { body } = await guest.browser.get('/me/organization_invitations')
    expect(body.response).toMatchObject({ total_count: 1, data: [{ public_organization_data: { id: orgId } }] })
    await guest.browser.post(`/me/organization_invitations/${body.response.data[0]?.id}/accept`)
    const memberships = await guest.browser.get('/me/organization_memberships')
    expect(memberships.body.response).toMatchObject({ data: [{ role: 'org:member', organization: { id: orgId } }] })
    expect((await browser.get(`/organizations/${orgId}/invitations`)).body.response.total_count).toBe(0)
  })

  it('is for admins, and for roles that exist', async () => {
    const { browser, orgId } = await openTeam()
    const guest = await openSignedUpBrowser()
    const path = `/organizations/${orgId}/invitations`
    expect((await browser.post(path, { email_address: guest.email, role: 'org:owner' })).status).toBe(422)
    const { body } = await browser.post(path, { email_address: guest.email, role: 'org:member' })
    await guest.browser.post(`/me/organization_invitations/${body.response.id}/accept`)
    expect((await guest.browser.post(path, { email_address: 'c@adapt.test', role: 'org:admin' })).status).toBe(403)
  })

  it('overlooks the empty address that the form adds', async () => {
    const { browser, orgId } = await openTeam()
    const form: [string, string][] = [
      ['email_address', 'a@adapt.test'],
      ['email_address', 'b@adapt.test'],
      ['email_address', ''],
      ['role', 'org:member'],
    ]
    const { body } = await browser.post(`/organizations/${orgId}/invitations/bulk`, form)
    expect(body.response).toMatchObject([{ email_address: 'a@adapt.test' }, { email_address: 'b@adapt.test' }])
  })

  it('cannot be accepted by another person', async () => {
    const { browser, orgId } = await openTeam()
    const form = { email_address: 'invited@adapt.test', role: 'org:member' }
    const { body } = await browser.post(`/organizations/${orgId}/invitations`, form)
    const { browser: other } = await openSignedUpBrowser()
    expect((await other.post(`/me/organization_invitations/${body.response.id}/accept`)).status).toBe(404)
  })
})

describe('DELETE /organizations/:id', () => {
  it('is for admins', async () => {
    const { browser, orgId } = await openTeam()
    const guest = await openSignedUpBrowser()
    const form = { email_address: guest.email, role: 'org:member' }
    const { body } = await browser.post(`/organizations/${orgId}/invitations`, form)
    await guest.browser.post(`/me/organization_invitations/${body.response.id}/accept`)
    expect((await guest.browser.post(`/organizations/${orgId}`, {}, 'DELETE')).status).toBe(403)
    expect((await browser.post(`/organizations/${orgId}`, {}, 'DELETE')).status).toBe(200)
    expect((await guest.browser.get('/me/organization_memberships')).body.response.total_count).toBe(0)
  })
})

describe('/organizations/:id/memberships/:userId', () => {
  async function openTeamOfTwo() {
    const { browser, orgId } = await openTeam()
    const guest = await openSignedUpBrowser()
    const form = { email_address: guest.email, role: 'org:member' }
    const { body } = await browser.post(`/organizations/${orgId}/invitations`, form)
    await guest.browser.post(`/me/organization_invitations/${body.response.id}/accept`)
    return { browser, orgId, guest, path: `/organizations/${orgId}/memberships/${String(guest.userId)}` }
  }
  const roleOf = async (browser: ReturnType<typeof openBrowser>) =>
    (await browser.get('/me/organization_memberships')).body.response.data.map(({ role }) => role)

  it('lets admins change a role and remove a member, who has no active organization then', async () => {
    const { browser, orgId, guest, path } = await openTeamOfTwo()
    const touch = `/client/sessions/${guest.sessionId}/touch`
    await guest.browser.post(touch, { active_organization_id: orgId })
    await browser.post(path, { role: 'org:admin' }, 'PATCH')
    expect(await roleOf(guest.browser)).toEqual(['org:admin'])
    expect((await browser.post(path, { role: 'org:owner' }, 'PATCH')).status).toBe(422)
    await browser.post(path, {}, 'DELETE')
    expect(await roleOf(guest.browser)).toEqual([])
    const { body } = await guest.browser.post(touch, { intent: 'focus' })
    expect(body.response.last_active_organization_id).toBeNull()
  })

  it('refuses members, who may only leave', async () => {
    const { orgId, guest, path } = await openTeamOfTwo()
    expect((await guest.browser.post(path, { role: 'org:admin' }, 'PATCH')).status).toBe(403)
    expect((await guest.browser.post(path, {}, 'DELETE')).status).toBe(403)
    const leave = () => guest.browser.post(`/me/organization_memberships/${orgId}`, {}, 'DELETE')
    expect((await leave()).status).toBe(200)
    expect(await roleOf(guest.browser)).toEqual([])
    expect((await leave()).status).toBe(404)
  })
})

describe('the seeded organization', () => {
  it.each([
    [SEEDED_ADMIN, true],
    [SEEDED_MEMBER, false],
  ])('is signed in to as $email, whose tokens carry what the role permits', async ({ id, email, role }, manages) => {
    const browser = openBrowser()
    const { body } = await browser.post('/client/sign_ins', { identifier: email, password: SEEDED_PASSWORD })
    const sessionId = body.response.created_session_id
    const touch = { active_organization_id: SEEDED_ORGANIZATION.id, intent: 'select_org' }
    await browser.post(`/client/sessions/${sessionId}/touch`, touch)
    for (const path of ['tokens', 'tokens/api']) {
      const token = await browser.post(`/client/sessions/${sessionId}/${path}`)
      const caller = await identity.verify(token.body.jwt)
      expect(caller).toMatchObject({ userId: id, orgId: SEEDED_ORGANIZATION.id, orgRole: role })
      expect(caller?.orgPermissions.includes('org:modules:manage')).toBe(manages)
    }
    const members = await browser.get(`/organizations/${SEEDED_ORGANIZATION.id}/memberships`)
    expect(members.body.response.total_count).toBe(2)
  })

  it('is created once, however many ask first', async () => {
    await Promise.all(Array.from({ length: 4 }, () => openBrowser().get('/client')))
    const count = 'SELECT count(*) AS count FROM local_clerk_memberships WHERE organization_id = ?'
    expect(await env.DB.prepare(count).bind(SEEDED_ORGANIZATION.id).first('count')).toBe(2)
  })
})
