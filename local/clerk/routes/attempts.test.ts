import { describe, expect, it } from 'vitest'
import { openBrowser, openSignedUpBrowser, PASSWORD } from '../testing/test-browser.ts'

describe('POST /client/sign_ins', () => {
  it('signs in in two steps', async () => {
    const { email, userId } = await openSignedUpBrowser()
    const browser = openBrowser()
    const first = await browser.post('/client/sign_ins', { identifier: email })
    expect(first.body.response).toMatchObject({
      status: 'needs_first_factor',
      supported_first_factors: [{ strategy: 'password' }],
      created_session_id: null,
    })
    expect(first.body.client).toMatchObject({ sessions: [], sign_in: { id: first.body.response.id } })
    const path = `/client/sign_ins/${first.body.response.id}/attempt_first_factor`
    const second = await browser.post(path, { strategy: 'password', password: PASSWORD })
    expect(second.body.response).toMatchObject({ status: 'complete' })
    expect(second.body.client).toMatchObject({ sessions: [{ user: { id: userId } }], sign_in: null })
  })

  it('signs in at once when the password comes with the address', async () => {
    const { email } = await openSignedUpBrowser()
    const form = { identifier: email.toUpperCase(), strategy: 'password', password: PASSWORD }
    const { body } = await openBrowser().post('/client/sign_ins', form)
    expect(body.response).toMatchObject({ status: 'complete' })
  })

  it('answers form_identifier_not_found for an unknown address', async () => {
    const { status, body } = await openBrowser().post('/client/sign_ins', { identifier: 'unknown@adapt.test' })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ code: 'form_identifier_not_found', meta: { param_name: 'identifier' } }])
  })

  it('answers form_password_incorrect and lets the next try succeed', async () => {
    const { email } = await openSignedUpBrowser()
    const browser = openBrowser()
    const { body } = await browser.post('/client/sign_ins', { identifier: email })
    const path = `/client/sign_ins/${body.response.id}/attempt_first_factor`
    const wrong = await browser.post(path, { strategy: 'password', password: `${PASSWORD}!` })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors).toMatchObject([{ code: 'form_password_incorrect', meta: { param_name: 'password' } }])
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [] })
    const right = await browser.post(path, { strategy: 'password', password: PASSWORD })
    expect(right.body.response).toMatchObject({ status: 'complete' })
  })

  it("hides another browser's sign-in", async () => {
    const { email } = await openSignedUpBrowser()
    const { body } = await openBrowser().post('/client/sign_ins', { identifier: email })
    const path = `/client/sign_ins/${body.response.id}/attempt_first_factor`
    expect((await openBrowser().post(path, { password: PASSWORD })).status).toBe(404)
  })

  it('refuses a second session in the same browser', async () => {
    const { browser, email } = await openSignedUpBrowser()
    const { status, body } = await browser.post('/client/sign_ins', { identifier: email })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ code: 'session_exists' }])
  })
})

describe('POST /client/sign_ups', () => {
  it('makes an account and signs it in', async () => {
    const browser = openBrowser()
    const { status, body } = await browser.post('/client/sign_ups', {
      email_address: 'New@adapt.test',
      password: PASSWORD,
    })
    expect(status).toBe(200)
    expect(body.response).toMatchObject({ object: 'sign_up', status: 'complete', email_address: 'new@adapt.test' })
    expect(body.client).toMatchObject({
      last_active_session_id: body.response.created_session_id,
      sign_up: null,
      sessions: [{ status: 'active', user: { email_addresses: [{ email_address: 'new@adapt.test' }] } }],
    })
    expect(Number(browser.cookies.get('__client_uat'))).toBeGreaterThan(0)
    expect(browser.cookies.get('__client_uat_nMPGLRhb')).toBe(browser.cookies.get('__client_uat'))
  })

  it.each([
    ['form_param_format_invalid', 'email_address', { email_address: 'unknown', password: PASSWORD }],
    ['form_password_length_too_short', 'password', { email_address: 'short@adapt.test', password: '1234567' }],
    ['form_password_length_too_long', 'password', { email_address: 'long@adapt.test', password: 'x'.repeat(73) }],
  ])('answers %s at the field %s', async (code, field, form) => {
    const { status, body } = await openBrowser().post('/client/sign_ups', form)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ code, meta: { param_name: field } }])
  })

  it('refuses an address that has an account, whatever its case', async () => {
    const { email } = await openSignedUpBrowser()
    const form = { email_address: email.toUpperCase(), password: PASSWORD }
    const { status, body } = await openBrowser().post('/client/sign_ups', form)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ code: 'form_identifier_exists', meta: { param_name: 'email_address' } }])
  })

  it('gives an address to only one of two who ask at the same time', async () => {
    const form = { email_address: 'twins@adapt.test', password: PASSWORD }
    const answers = await Promise.all([
      openBrowser().post('/client/sign_ups', form),
      openBrowser().post('/client/sign_ups', form),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  })

  it('waits for a field that is missing', async () => {
    const browser = openBrowser()
    const first = await browser.post('/client/sign_ups', { email_address: 'later@adapt.test' })
    expect(first.body.response).toMatchObject({ status: 'missing_requirements', missing_fields: ['password'] })
    expect(first.body.client.sign_up).toMatchObject({ id: first.body.response.id })
    const path = `/client/sign_ups/${first.body.response.id}`
    const second = await browser.post(path, { password: PASSWORD }, 'PATCH')
    expect(second.body.response).toMatchObject({ status: 'complete', missing_fields: [] })
  })

  it('lets a suspicious browser in only with the proof of a challenge', async () => {
    const browser = openBrowser()
    browser.cookies.set('local_clerk_protect', 'on')
    const form = { email_address: 'suspicious@adapt.test', password: PASSWORD }
    const { body } = await browser.post('/client/sign_ups', form)
    const check = { status: 'pending', sdk_url: expect.stringMatching(/^https:\/\/\w+\.protect\.clerk\.com\//) }
    expect(body.response).toMatchObject({ status: 'missing_requirements', missing_fields: [], protect_check: check })
    expect(body.client.sign_up).toMatchObject({ protect_check: check })
    const path = `/client/sign_ups/${body.response.id}`
    expect((await browser.post(path, { first_name: 'Ada' }, 'PATCH')).body.response).toMatchObject({
      status: 'missing_requirements',
    })
    expect((await browser.post(`${path}/protect_check`, { proof_token: 'none' }, 'PATCH')).status).toBe(422)
    const passed = await browser.post(`${path}/protect_check`, { proof_token: 'proof_1' }, 'PATCH')
    expect(passed.body.response).toMatchObject({ status: 'complete', protect_check: null })
  })

  it("hides another browser's sign-up", async () => {
    const browser = openBrowser()
    const { body } = await browser.post('/client/sign_ups', { email_address: 'mine@adapt.test' })
    const other = await openBrowser().post(`/client/sign_ups/${body.response.id}`, { password: PASSWORD }, 'PATCH')
    expect(other.status).toBe(404)
  })

  it('refuses a second session in the same browser', async () => {
    const { browser } = await openSignedUpBrowser()
    const { status, body } = await browser.post('/client/sign_ups', {
      email_address: 'b@adapt.test',
      password: PASSWORD,
    })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ code: 'session_exists' }])
  })
})
