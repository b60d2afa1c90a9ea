import { describe, expect, it } from 'vitest'
import { openBrowser, openSignedUpBrowser, PASSWORD } from '../test-browser.ts'

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

  it('is refused when nobody is signed in', async () => {
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
