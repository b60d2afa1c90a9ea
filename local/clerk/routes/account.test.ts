import { env } from 'cloudflare:workers'
import { decodeJwt } from '@clerk/backend/jwt'
import { describe, expect, it } from 'vitest'
import { identity, openBrowser, openSignedUpBrowser, PASSWORD } from '../testing/test-browser.ts'

describe('PATCH /me', () => {
  it('changes the name and the initials drawn of it', async () => {
    const { browser } = await openSignedUpBrowser()
    const { body } = await browser.post('/me', { first_name: 'Ada', last_name: 'Lovelace' }, 'PATCH')
    expect(body.response).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      image_url: '/__clerk/avatars/AL.svg',
    })
  })

  it('is refused without a session', async () => {
    expect((await openBrowser().post('/me', { first_name: 'Ada' }, 'PATCH')).status).toBe(401)
  })
})

describe('POST /me/change_password', () => {
  it('replaces the password', async () => {
    const { browser, email } = await openSignedUpBrowser()
    const form = { current_password: PASSWORD, new_password: 'battery staple' }
    expect((await browser.post('/me/change_password', form)).status).toBe(200)
    const old = await openBrowser().post('/client/sign_ins', { identifier: email, password: PASSWORD })
    expect(old.status).toBe(422)
    const fresh = await openBrowser().post('/client/sign_ins', { identifier: email, password: 'battery staple' })
    expect(fresh.body.response.status).toBe('complete')
  })

  it('needs the current one', async () => {
    const { browser } = await openSignedUpBrowser()
    const form = { current_password: 'something else', new_password: 'battery staple' }
    const { status, body } = await browser.post('/me/change_password', form)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ meta: { param_name: 'current_password' } }])
  })
})

describe('POST /client/sessions/:id/tokens', () => {
  it.each(['tokens', 'tokens/api'])('answers %s that the worker accepts', async (path) => {
    const { browser, sessionId, userId } = await openSignedUpBrowser()
    const { body } = await browser.post(`/client/sessions/${sessionId}/${path}`)
    expect(await identity.verify(body.jwt)).toMatchObject({ userId, orgId: null, orgRole: null, orgPermissions: [] })
    expect(body.jwt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('names the configured origin where the request names none', async () => {
    const { browser } = await openSignedUpBrowser()
    const { body } = await browser.get('/me/sessions/active')
    const [session] = body as unknown as { last_active_token: { jwt: string } }[]
    expect(await identity.verify(session?.last_active_token.jwt ?? '')).not.toBeNull()
  })

  it('answers 404 for a template that does not exist', async () => {
    const { browser, sessionId } = await openSignedUpBrowser()
    const { status, body } = await browser.post(`/client/sessions/${sessionId}/tokens/other`)
    expect(status).toBe(404)
    expect(body.errors).toMatchObject([{ code: 'resource_not_found' }])
  })

  it("answers 401 for another browser's session", async () => {
    const { sessionId } = await openSignedUpBrowser()
    const { browser } = await openSignedUpBrowser()
    expect((await browser.post(`/client/sessions/${sessionId}/tokens`)).status).toBe(401)
    expect((await openBrowser().post(`/client/sessions/${sessionId}/tokens/api`)).status).toBe(401)
  })

  it('carries the active organization in both kinds of token', async () => {
    const { browser, sessionId, userId } = await openSignedUpBrowser()
    const { body } = await browser.post('/organizations', { name: 'Line 4' })
    const orgId = body.response.id
    await browser.post(`/client/sessions/${sessionId}/touch`, { active_organization_id: orgId, intent: 'select_org' })
    for (const path of ['tokens', 'tokens/api']) {
      const token = await browser.post(`/client/sessions/${sessionId}/${path}`)
      const orgPermissions = expect.arrayContaining(['org:modules:manage'])
      const caller = { userId, orgId, orgRole: 'org:admin', orgPermissions }
      expect(await identity.verify(token.body.jwt)).toMatchObject(caller)
    }
  })
})

describe('POST /client/sessions/:id/touch', () => {
  it('leaves the organization with an empty id and keeps it without one', async () => {
    const { browser, sessionId } = await openSignedUpBrowser()
    const { body } = await browser.post('/organizations', { name: 'Line 4' })
    const path = `/client/sessions/${sessionId}/touch`
    await browser.post(path, { active_organization_id: body.response.id })
    const focused = await browser.post(path, { intent: 'focus' })
    expect(focused.body.response.last_active_organization_id).toBe(body.response.id)
    const left = await browser.post(path, { active_organization_id: '' })
    expect(left.body.response.last_active_organization_id).toBeNull()
  })

  it("refuses another owner's organization as if it did not exist", async () => {
    const { browser: other } = await openSignedUpBrowser()
    const { body } = await other.post('/organizations', { name: 'Theirs' })
    const { browser, sessionId } = await openSignedUpBrowser()
    const path = `/client/sessions/${sessionId}/touch`
    expect((await browser.post(path, { active_organization_id: body.response.id })).status).toBe(404)
  })
})

describe('DELETE /client/sessions', () => {
  it('signs out, and the account signs in again', async () => {
    const { browser, email, sessionId } = await openSignedUpBrowser()
    const { body } = await browser.post('/client/sessions', {}, 'DELETE')
    expect(body.client).toMatchObject({ sessions: [], last_active_session_id: null })
    expect(browser.cookies.get('__client_uat')).toBe('0')
    expect((await browser.post(`/client/sessions/${sessionId}/tokens`)).status).toBe(401)
    const again = await browser.post('/client/sign_ins', { identifier: email, password: PASSWORD })
    expect(again.body.response.status).toBe('complete')
  })

  it('leaves the same account signed in elsewhere', async () => {
    const { browser, email } = await openSignedUpBrowser()
    const elsewhere = openBrowser()
    await elsewhere.post('/client/sign_ins', { identifier: email, password: PASSWORD })
    await browser.post('/client/sessions', {}, 'DELETE')
    expect((await elsewhere.get('/me')).status).toBe(200)
  })
})

describe('POST /client/sessions/:id/remove', () => {
  it.each([
    ['remove', 'removed'],
    ['end', 'ended'],
  ])('%s answers a session that is %s', async (ending, status) => {
    const { browser, sessionId } = await openSignedUpBrowser()
    const { body } = await browser.post(`/client/sessions/${sessionId}/${ending}`)
    expect(body.response.status).toBe(status)
    expect(body.client.sessions).toEqual([])
  })
})

describe('a session where membership is required', () => {
  const PENDING = { status: 'pending', tasks: [{ key: 'choose-organization' }] }
  const ACTIVE = { status: 'active', tasks: null }
  const statusOf = (jwt: string) => decodeJwt(jwt).payload['sts']

  it('is pending until an organization is the active one, and again without one', async () => {
    const { browser, sessionId } = await openSignedUpBrowser({ isMembershipRequired: true })
    const touch = async (organizationId: string) => {
      const form = { active_organization_id: organizationId, intent: 'select_org' }
      return (await browser.post(`/client/sessions/${sessionId}/touch`, form)).body.response
    }
    const mint = async (path: string) => (await browser.post(`/client/sessions/${sessionId}/${path}`)).body.jwt
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [PENDING] })
    expect(statusOf(await mint('tokens'))).toBe('pending')
    expect(statusOf(await mint('tokens/api'))).toBeUndefined()

    const { id } = (await browser.post('/organizations', { name: 'Line 4' })).body.response
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [PENDING] })
    expect(await touch(id)).toMatchObject({ ...ACTIVE, last_active_organization_id: id })
    expect(statusOf(await mint('tokens'))).toBe('active')

    expect((await browser.post(`/organizations/${id}`, {}, 'DELETE')).body.response).toMatchObject({ deleted: true })
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [PENDING] })
    expect((await browser.get(`/organizations/${id}`)).status).toBe(404)
  })

  it('is active from the beginning where it is optional', async () => {
    const { browser, sessionId } = await openSignedUpBrowser()
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [ACTIVE] })
    expect(statusOf((await browser.post(`/client/sessions/${sessionId}/tokens`)).body.jwt)).toBe('active')
  })

  it.each([true, false])('is what the instance says to every browser: %s', async (isMembershipRequired) => {
    const { body } = await openBrowser({ isMembershipRequired }).get('/environment')
    expect(body).toMatchObject({
      organization_settings: { enabled: true, force_organization_selection: isMembershipRequired },
    })
  })
})

describe('POST /client/sessions/:id/verify', () => {
  async function openOldSession() {
    const { browser, sessionId } = await openSignedUpBrowser()
    const hourAgo = 'UPDATE local_clerk_sessions SET created_at_ms = created_at_ms - 3600000 WHERE id = ?'
    await env.DB.prepare(hourAgo).bind(sessionId).run()
    const path = `/client/sessions/${sessionId}`
    const readAge = async () =>
      (await identity.verify((await browser.post(`${path}/tokens`)).body.jwt))?.verifiedMinutesAgo
    return { browser, path, readAge }
  }

  it('asks for the password, after which tokens of the session are fresh', async () => {
    const { browser, path, readAge } = await openOldSession()
    expect(await readAge()).toBe(60)
    const asked = await browser.post(`${path}/verify`, { level: 'first_factor' })
    expect(asked.body.response).toMatchObject({
      status: 'needs_first_factor',
      supported_first_factors: [{ strategy: 'password' }],
    })
    expect(await readAge()).toBe(60)
    const form = { strategy: 'password', password: PASSWORD }
    const given = await browser.post(`${path}/verify/attempt_first_factor`, form)
    expect(given.body.response).toMatchObject({ status: 'complete', session: { factor_verification_age: [0, -1] } })
    expect(await readAge()).toBe(0)
  })

  it('refuses another password', async () => {
    const { browser, path, readAge } = await openOldSession()
    const form = { strategy: 'password', password: 'something else' }
    const { status, body } = await browser.post(`${path}/verify/attempt_first_factor`, form)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ code: 'form_password_incorrect', meta: { param_name: 'password' } }])
    expect(await readAge()).toBe(60)
  })

  it("answers 401 for another browser's session", async () => {
    const { path } = await openOldSession()
    const { browser } = await openSignedUpBrowser()
    const form = { strategy: 'password', password: PASSWORD }
    expect((await browser.post(`${path}/verify/attempt_first_factor`, form)).status).toBe(401)
  })
})
