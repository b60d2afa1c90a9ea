import { expect, test } from '@playwright/test'

test('the app speaks the language of its browser', async ({ request }) => {
  for (const path of ['/', '/dashboard', '/kept']) {
    const answer = await request.get(path, { headers: { 'accept-language': 'de' } })
    console.log(path, answer.status(), answer.headers()['content-security-policy']?.slice(0, 60), answer.headers()['vary'], answer.headers()['cache-control'], answer.headers()['link'], (await answer.text()).slice(0, 60))
    const en = await request.get(path)
    console.log(path, en.status(), en.headers()['content-security-policy']?.slice(0, 60), en.headers()['vary'], en.headers()['link']?.slice(0, 80), (await en.text()).slice(0, 60))
  }
  expect(1).toBe(1)
})
