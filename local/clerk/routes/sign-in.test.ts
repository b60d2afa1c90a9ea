import { describe, expect, it } from 'vitest'
import { openBrowser, openSignedUpBrowser, PASSWORD } from '../test-browser.ts'

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
    const { status, body } = await openBrowser().post('/client/sign_ins', { identifier: 'nobody@adapt.test' })
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
