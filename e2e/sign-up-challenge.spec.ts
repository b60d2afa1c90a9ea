import { type BrowserContext, expect, test } from '@playwright/test'
import { fillSignUp } from './people.ts'

const CORS = { 'access-control-allow-origin': '*' }
const SCRIPT = { contentType: 'text/javascript', headers: CORS }

/** The module that clerk-js imports: shows a frame, and gives the proof that the frame sends it. */
const CHALLENGE = `export default (container) => new Promise((resolve) => {
  addEventListener('message', ({ data, origin }) => {
    if (origin === 'https://challenge.protect.clerk.com') resolve(data)
  })
  const frame = document.createElement('iframe')
  frame.src = 'https://challenge.protect.clerk.com/frame.html'
  container.append(frame)
})`
const FRAME = `<!doctype html><script>parent.postMessage('proof_of_frame', '*')</script>`

/** Stands in for Clerk's hosts; what the site's policy refuses never gets here. */
async function serveChallenges(context: BrowserContext): Promise<string[]> {
  const asked: string[] = []
  await context.route(/^https:\/\/challenge\.protect\.clerk\.com/, async (route) => {
    const { host, pathname } = new URL(route.request().url())
    asked.push(`${host}${pathname}`)
    const exp = Math.floor(Date.now() / 1_000) + 600
    if (pathname === '/token') return route.fulfill({ json: { token: 'v1.token.local', exp }, headers: CORS })
    if (pathname === '/loader.js') return route.fulfill({ ...SCRIPT, body: '' })
    if (pathname === '/frame.html') return route.fulfill({ contentType: 'text/html', body: FRAME })
    return route.fulfill({ ...SCRIPT, body: CHALLENGE })
  })
  return asked
}

test('a sign-up that Clerk finds suspicious passes its challenge, and leads to the page that was wanted', {
  tag: '@attack-44',
}, async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'local_clerk_protect', value: 'on', url: baseURL ?? '' }])
  const asked = await serveChallenges(context)
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.goto('/sign-up?redirect_url=%2Fupload')
  const sent = page.waitForRequest((request) => /\/client\/sign_ups\?/.test(request.url()))
  await fillSignUp(page, /\/upload$/)
  expect(refused).toEqual([])
  expect(new URLSearchParams((await sent).postData() ?? '').get('__clerk_protect_status')).toBe('ok')
  expect(asked.sort()).toEqual([
    'challenge.protect.clerk.com/challenge.js',
    'challenge.protect.clerk.com/frame.html',
    'challenge.protect.clerk.com/loader.js',
    'challenge.protect.clerk.com:8443/token',
  ])
  await expect(page.getByRole('heading', { name: 'Upload a training video' })).toBeVisible()
})
