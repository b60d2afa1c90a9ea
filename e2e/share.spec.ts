import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { OembedAnswer } from '#contract/share.ts'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { FIXTURES } from './media.ts'
import { makeLooped } from './odd-media.ts'
import { apiOf, signUp, tokenOf } from './people.ts'
import { expectAccessible } from './screen.ts'
import { tabTo } from './tab-to.ts'
import { moduleIdOf, stepsOf, untilReady, upload, videoTimeOf } from './training.ts'

/** A learner sees a change within this time at the latest, however it comes. */
const SEEN_WITHIN_MS = 60_000
/** JavaScript that a learner loads before the page is usable, and in all, gzipped. */
const USABLE_SCRIPT_KB = 25
const ALL_SCRIPT_KB = 65

let trainer: Page
let id: string

/** A person who has only the link. */
async function openVisitor(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage()
}

async function change(request: APIRequestContext, data: object): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf(trainer)}` }
  expect((await request.patch(`/api/modules/${id}`, { headers, data })).status()).toBe(200)
}

/** How many there are in truth; what a page shows may still be on the way to it. */
async function countSteps(): Promise<number> {
  return ModuleAnswer.parse(await apiOf(trainer, `/api/modules/${id}`)).module.steps.length
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await openVisitor(browser)
  await signUp(trainer)
  await trainer.getByRole('button', { name: 'Try it with a sample' }).click()
  await expect(trainer).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  id = moduleIdOf(trainer)
})

test.afterAll(() => trainer.context().close())

test('fills while the module is still being made, without being loaded again', async ({ browser }) => {
  const learner = await openVisitor(browser)
  await learner.goto(`/share/${id}`)
  await untilReady(learner)
  await untilReady(trainer)
  await expect(stepsOf(learner)).toHaveCount(await countSteps())
  await learner.context().close()
})

test('is drawn without asking the API for anything, plays, and follows the video', async ({ browser }) => {
  const learner = await openVisitor(browser)
  const requests: string[] = []
  const complaints: string[] = []
  learner.on('request', (request) => requests.push(new URL(request.url()).pathname))
  learner.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  // Whatever the edge has of the time when it was being made is over after ten seconds.
  await expect.poll(async () => (await learner.request.get(`/share/${id}`)).text()).toContain('"status":"READY"')
  // What the edge has may just have grown too old.
  await expect(async () => {
    requests.length = 0
    const answer = await learner.goto(`/share/${id}`)
    expect(answer?.headers()['cf-cache-status']).toBe('HIT')
  }).toPass()
  await expect(stepsOf(learner)).toHaveCount(await countSteps())
  expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([])
  await expect(learner).toHaveTitle(/· Adapt$/)
  await expect(learner.getByRole('heading', { name: 'How to Use' })).toBeVisible()

  await learner
    .getByRole('button', { name: /^Play video/ })
    .first()
    .click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(0)
  const second = stepsOf(learner).nth(1)
  await second.getByRole('button').click()
  const { module } = ModuleAnswer.parse(await apiOf(trainer, `/api/modules/${id}`))
  const startS = module.steps[1]?.start ?? Number.NaN
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThanOrEqual(startS - 0.5)
  await expect(learner.getByText(new RegExp(`^Step 2 of ${module.steps.length}`))).toBeVisible()
  // The page reports what was watched, but asks for nothing.
  const asked = requests.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/learning-metrics'))
  expect(asked).toEqual([])
  expect(complaints).toEqual([])
  await learner.context().close()
})

test('shows poster, title and steps before the player is loaded, and without it', async ({ browser }) => {
  const learner = await openVisitor(browser)
  await learner.route(/(player-stage|learning-log).*\.js$/, (route) => route.abort())
  await learner.goto(`/share/${id}`)
  await expect(stepsOf(learner)).toHaveCount(await countSteps())
  await expect(learner.getByRole('heading', { level: 1 })).toBeVisible()
  const poster = learner.locator(`img[src="/share/${id}/images/poster"][fetchpriority]`)
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(learner.getByText('The player could not be loaded. Check your connection.')).toBeVisible()
  await learner.unrouteAll()
  await learner.getByRole('button', { name: 'Try again' }).click()
  await expect(learner.locator('video')).toBeVisible()
  await learner.context().close()
})

test('loads little: no router, no schemas, no sign-in, and the player last', async ({ browser }) => {
  const learner = await openVisitor(browser)
  const scripts: Promise<{ path: string; kb: number }>[] = []
  learner.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    scripts.push(response.body().then((body) => ({ path: pathname, kb: gzipSync(body).byteLength / 1000 })))
  })
  await learner.goto(`/share/${id}`)
  await expect(learner.locator('video')).toBeVisible()
  const loaded = await Promise.all(scripts)
  const sum = (some: typeof loaded) => some.reduce((kb, script) => kb + script.kb, 0)
  const late = /player|learning-log/
  expect(sum(loaded.filter(({ path }) => !late.test(path)))).toBeLessThanOrEqual(USABLE_SCRIPT_KB)
  expect(sum(loaded)).toBeLessThanOrEqual(ALL_SCRIPT_KB)
  await learner.context().close()
})

test('gives Safari the ranges that it asks for, byte by byte', { tag: '@fault-45' }, async ({ request }) => {
  const path = `/share/${id}/video`
  const whole = await (await request.get(path)).body()
  const last = whole.byteLength - 1
  const middle = Math.floor(last / 2)
  for (const [from, to] of [
    [0, 1],
    [0, last],
    [last - 999, last],
    [middle, last],
    [2, middle],
  ] as const) {
    const answer = await request.get(path, { headers: { range: `bytes=${from}-${to}`, 'accept-encoding': 'identity' } })
    expect(answer.status()).toBe(206)
    expect(answer.headers()['content-range']).toBe(`bytes ${from}-${to}/${whole.byteLength}`)
    expect(answer.headers()['content-length']).toBe(String(to - from + 1))
    expect((await answer.body()).equals(whole.subarray(from, to + 1))).toBe(true)
  }
  const beyond = await request.get(path, { headers: { range: `bytes=${whole.byteLength}-` } })
  expect(beyond.status()).toBe(416)
  const head = await request.head(path)
  expect([head.status(), head.headers()['content-length']]).toEqual([200, String(whole.byteLength)])
})

test('has no accessibility fault', async ({ browser }) => {
  const learner = await openVisitor(browser, { reducedMotion: 'reduce' })
  for (const path of [`/share/${id}`, `/embed/${id}`]) {
    await learner.goto(path)
    await expect(stepsOf(learner).first()).toBeVisible()
    await expectAccessible(learner, path)
    await expect(learner.locator('video')).toBeVisible()
    await expectAccessible(learner, `${path} with its player`)
  }
  await learner.goto('/share/nothing-here')
  await expectAccessible(learner, 'not found')
  await learner.context().close()
})

test('works by keyboard alone, and keeps the focus when the player is loaded', async ({ browser }) => {
  const learner = await openVisitor(browser)
  const pressed = Promise.withResolvers<void>()
  await learner.route(/player-stage.*\.js$/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await learner.goto(`/share/${id}`)
  await tabTo(learner, learner.getByRole('button', { name: /^Play video/ }))
  await learner.keyboard.press('Enter')
  pressed.resolve()
  await expect.poll(() => videoTimeOf(learner).catch(() => 0), { timeout: 30_000 }).toBeGreaterThan(0)
  await expect(learner.locator('.player :focus, .player:focus')).toBeVisible()
  await learner.keyboard.press('k')
  await expect.poll(() => learner.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(true)
  await tabTo(learner, learner.getByRole('slider', { name: 'Seek' }))
  const beforeS = await videoTimeOf(learner)
  await learner.keyboard.press('ArrowRight')
  // The player seeks from the time that it last showed, which a busy machine shows late.
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(beforeS + 3)
  const settings = learner.getByRole('button', { name: 'Settings' })
  await tabTo(learner, settings)
  await learner.keyboard.press('Enter')
  await tabTo(learner, learner.getByLabel('Pause after each step'))
  await learner.keyboard.press('Escape')
  await expect(settings).toBeFocused()
  await tabTo(learner, stepsOf(learner).nth(2).getByRole('button'))
  await learner.keyboard.press('Enter')
  await expect(learner.getByText(/^Step 3 of/)).toBeVisible()
  await learner.context().close()
})

test('fits a phone of 320 pixels, and the video stays in sight', async ({ browser }) => {
  const learner = await openVisitor(browser, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await learner.goto(`/share/${id}`)
  await expect(stepsOf(learner).first()).toBeVisible()
  expect(await learner.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await stepsOf(learner).last().scrollIntoViewIfNeeded()
  await expect(learner.locator('video')).toBeInViewport()
  await stepsOf(learner).last().getByRole('button').tap()
  await expect(learner.getByText(new RegExp(`^Step ${await stepsOf(learner).count()} of`))).toBeVisible()
  await learner.context().close()
})

test('can be shown in a frame of another site, the share page cannot', async ({ browser, request, baseURL }) => {
  const address = `${baseURL}/share/${id}`
  const oembed = OembedAnswer.parse(await (await request.get(`/api/oembed?url=${encodeURIComponent(address)}`)).json())
  const other = await serveOnFreePort(({ url }) => {
    const html = url.endsWith('/share') ? `<iframe src="${address}" title="x"></iframe>` : oembed.html
    return new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html' } })
  })
  const site = await openVisitor(browser)
  await site.goto(`${other.origin}/embed`)
  const frame = site.frameLocator('iframe')
  await expect(frame.getByRole('region', { name: 'Steps' }).getByRole('listitem').first()).toBeVisible()
  await frame
    .getByRole('button', { name: /^Play video/ })
    .first()
    .click()
  await expect
    .poll(() =>
      frame
        .locator('video')
        .evaluate((video: HTMLVideoElement) => video.currentTime)
        .catch(() => 0),
    )
    .toBeGreaterThan(0)
  await site.goto(`${other.origin}/share`)
  await expect(frame.getByRole('region', { name: 'Steps' })).toBeHidden()
  await site.context().close()
  await other.close()
})

test('a video whose index is at its end plays from its first request, and jumps', async ({ browser }) => {
  const owner = await openVisitor(browser)
  await signUp(owner)
  // Long enough that its end does not come with the first bytes by itself.
  await upload(owner, makeLooped(40), join(FIXTURES, 'tiny.vtt'))
  await untilReady(owner)
  const learner = await openVisitor(browser)
  const ranges: (string | undefined)[] = []
  learner.on('request', (request) => {
    if (request.url().endsWith('/video')) ranges.push(request.headers()['range'])
  })
  const head = await learner.request.head(`/share/${moduleIdOf(owner)}/video`)
  const sizeBytes = Number(head.headers()['content-length'])
  await learner.goto(`/share/${moduleIdOf(owner)}`)
  await learner
    .getByRole('button', { name: /^Play video/ })
    .first()
    .click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(0)
  const starts = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]))
  expect(starts[0]).toBe(0)
  // A browser goes on where it had paused; an index at the end would be asked for at once.
  expect(Math.max(...starts)).toBeLessThan(sizeBytes / 2)
  await learner.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration / 2
  })
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(200)
  await learner.context().close()
  await owner.context().close()
})

test('shows an edit within a minute', { tag: '@fault-42' }, async ({ browser, request }) => {
  test.setTimeout(2 * SEEN_WITHIN_MS)
  const learner = await openVisitor(browser)
  await learner.goto(`/share/${id}`)
  await change(request, { title: 'Renamed by its trainer' })
  await expect(async () => {
    await learner.reload()
    await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Renamed by its trainer', { timeout: 1_000 })
  }).toPass({ timeout: SEEN_WITHIN_MS })
  await learner.context().close()
})

test('is gone for everyone when sharing is switched off', { tag: '@fault-41' }, async ({ browser, request }) => {
  const learner = await openVisitor(browser)
  await learner.goto(`/share/${id}`)
  await change(request, { shared: false })
  expect((await learner.reload())?.status()).toBe(404)
  await expect(learner.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  await expect(learner.getByText('This training module could not be found or is no longer available.')).toBeVisible()
  expect((await request.get(`/share/${id}/video`)).status()).toBe(404)
  await learner.getByRole('link', { name: 'Go Home' }).click()
  await expect(learner).toHaveURL(/:\d+\/$/)
  await learner.context().close()
})
