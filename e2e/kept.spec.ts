import { join } from 'node:path'
import { type Browser, expect, type Page, type Route, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { FIXTURES } from './media.ts'
import { makeLooped } from './odd-media.ts'
import { apiOf, signUp, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf, untilReady, upload, videoTimeOf } from './training.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const AS_COPY = /^Adapt cannot be reached right now\. This is the copy on this device, as it was just now/

interface Manifest {
  start_url: string
  icons: { src: string; sizes: string; type: string }[]
}

let trainer: Page
let id: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await (await browser.newContext()).newPage()
  await signUp(trainer)
  // Long enough that its end does not come with its beginning.
  await upload(trainer, makeLooped(40), join(FIXTURES, 'tiny.vtt'))
  await untilReady(trainer)
  id = moduleIdOf(trainer)
  // The page changes with each image, and a copy with the page; the edge gives the page before out for a while.
  await expect.poll(hasAllImages, { timeout: 90_000 }).toBe(true)
})

test.afterAll(() => trainer?.context().close())

/** Whether the shared page shows each step's own image; until it is made, the poster stands in. */
async function hasAllImages(): Promise<boolean> {
  const { steps } = ModuleAnswer.parse(await apiOf(trainer, `/api/modules/${id}`)).module
  const html = await (await trainer.request.get(`/share/${id}`)).text()
  return steps.every(({ image }) => image?.startsWith('step-') && html.includes(`"image":"${image}"`))
}

async function openPhone(browser: Browser): Promise<Page> {
  return (await browser.newContext(PHONE)).newPage()
}

/** Names of all caches that hold something of a kept page. */
function cachesOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('adapt_kept:')))
}

async function openDialog(page: Page): Promise<void> {
  await page.goto(`/share/${id}`)
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  await expect(page.getByRole('radio', { name: /^With the video · about [\d.]+ MB/ })).toBeChecked()
}

async function keep(page: Page): Promise<void> {
  await openDialog(page)
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Kept on this phone' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
}

async function playAt(page: Page, seconds: number): Promise<void> {
  // Again where the player begins meanwhile, which has a place of its own.
  const play = (video: HTMLVideoElement, at: number) => {
    if (video.currentTime < at || video.currentTime > at + 30) video.currentTime = at
    void video.play()
    return video.currentTime
  }
  await expect.poll(() => page.locator('video').evaluate(play, seconds)).toBeGreaterThan(seconds + 0.5)
}

async function countLearners(): Promise<number> {
  const { learners } = (await apiOf(trainer, `/api/learning-metrics/${id}`)) as { learners: number }
  return learners
}

/** What is stored under the path of the page. */
function titleOfCopy(page: Page): Promise<string | null> {
  return page.evaluate(async (path) => {
    const found = await (await caches.open('adapt_kept')).match(path)
    return found === undefined ? null : ((await found.json()) as { title: string }).title
  }, `/share/${id}`)
}

/** A stand-in for the server would answer without a network too. */
async function cutNetwork(page: Page): Promise<void> {
  await page.context().unrouteAll()
  await page.context().setOffline(true)
}

/** Has the server answer the page in another way from now on. */
async function change(page: Page, edit: (html: string) => string): Promise<void> {
  await page.context().route(`**/share/${id}`, async (route) => {
    const answer = await route.fetch()
    const headers = { ...answer.headers(), etag: '"another"' }
    await route.fulfill({ response: answer, headers, body: edit(await answer.text()) })
  })
}

const BUILT =
  /(start|player-stage|keep-training|follow-along|shared-learning-log|kept-files)-([\w-]{8})\.(js|css|json)/g

/** Stands in for a deployment in which each file of the build has another name, and the old ones are gone. */
async function deploy(page: Page): Promise<void> {
  const rename = (text: string) =>
    text.replaceAll(BUILT, '$1-$2v2.$3').replace('</head>', '<meta name="version" content="2"></head>')
  await page.context().route('**/assets/**', async (route: Route) => {
    const url = route.request().url()
    const isNew = /-[\w-]{8}v2\./.test(url)
    if (!isNew && url.search(BUILT) !== -1) return route.fulfill({ status: 404, body: '' })
    const answer = await route.fetch({ url: url.replace(/v2(?=\.\w+$)/, '') })
    await route.fulfill({ response: answer, body: rename(await answer.text()) })
  })
  await change(page, rename)
}

function versionOf(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.querySelector('meta[name=version]')?.getAttribute('content') ?? 1))
}

test('a kept training opens by its link without a network, plays, jumps, and reports later', async ({ browser }) => {
  const learner = await openPhone(browser)
  await openDialog(learner)
  await expectAccessible(learner, 'the question what to keep')
  await expectReflow(learner, 'the question what to keep')
  await keep(learner)
  await expect(learner.getByRole('link', { name: 'Kept on this phone' })).toBeFocused()

  await learner.context().setOffline(true)
  // As from a code on the machine.
  await learner.goto(`/share/${id}?t=0`)
  await expect(learner.getByText(AS_COPY)).toBeVisible()
  const { module } = ModuleAnswer.parse(await apiOf(trainer, `/api/modules/${id}`))
  await expect(stepsOf(learner)).toHaveCount(module.steps.length)
  await stepsOf(learner).nth(1).getByRole('button').click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThanOrEqual(module.steps[1]?.start ?? Number.NaN)
  await playAt(learner, (module.totalDuration ?? 0) / 2)
  await playAt(learner, 3)
  await expect(learner.getByText(/^\d+% watched$/)).toBeVisible()
  await expectAccessible(learner, 'a kept training without a network')
  await expectReflow(learner, 'a kept training without a network')
  await learner.getByRole('button', { name: 'Follow along' }).click()
  await expect(learner.getByRole('dialog')).toContainText('Step 1 of')
  await learner.keyboard.press('Escape')

  await learner.goto('/kept')
  await expect(learner.getByRole('link', { name: module.title })).toBeVisible()
  await expect(learner.getByText(/used, about .* left$/)).toBeVisible()
  await expectAccessible(learner, 'the list of what is kept')
  await expectReflow(learner, 'the list of what is kept')

  expect(await countLearners()).toBe(0)
  await learner.goto(`/share/${id}`)
  await learner.context().setOffline(false)
  await expect(learner.getByText('The network is back, and this copy is up to date.')).toBeVisible()
  await expect.poll(countLearners, { timeout: 60_000 }).toBe(1)
  await learner.context().close()
})

test('a copy is made again when its page has changed, and again when its link is opened', async ({ browser }) => {
  const learner = await openPhone(browser)
  await keep(learner)
  await change(learner, (html) => html.replaceAll(/"title":"[^"]*"/g, '"title":"Renamed meanwhile"'))
  await learner.goto(`/share/${id}`)
  await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Renamed meanwhile')
  await expect.poll(() => titleOfCopy(learner)).toBe('Renamed meanwhile')
  await cutNetwork(learner)
  await learner.goto(`/share/${id}`)
  await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Renamed meanwhile')
  await learner.context().setOffline(false)
  await learner.getByRole('link', { name: 'Show the new version' }).click()
  await expect(learner.getByRole('heading', { level: 1 })).not.toHaveText('Renamed meanwhile')
  await learner.context().close()
})

test('a copy of the version before plays after a new one was deployed, and becomes the new one', async ({
  browser,
}) => {
  const learner = await openPhone(browser)
  await keep(learner)
  await deploy(learner)
  // The server is slow, so the copy is shown, whose scripts the server does not have any more.
  await learner.context().route(`**/share/${id}`, () => {}, { times: 1 })
  await learner.goto(`/share/${id}`)
  await expect(learner.getByText(AS_COPY)).toBeVisible()
  expect(await versionOf(learner)).toBe(1)
  await learner.getByRole('button', { name: 'Follow along' }).click()
  await expect(learner.getByRole('dialog')).toContainText('Step 1 of')
  await learner.keyboard.press('Escape')
  await playAt(learner, 60)
  // The page itself has taken the files of the new one meanwhile, with which there is nothing new to see.
  await expect(learner.getByText('The network is back, and this copy is up to date.')).toBeVisible()
  await cutNetwork(learner)
  await learner.goto(`/share/${id}`)
  await expect(learner.getByText(AS_COPY)).toBeVisible()
  expect(await versionOf(learner)).toBe(2)
  await playAt(learner, 60)
  await learner.context().close()
})

test('what is called off, or does not fit, leaves nothing behind', async ({ browser }) => {
  const learner = await openPhone(browser)
  // Of the context: a page's own routes see nothing of what a service worker could answer.
  await learner
    .context()
    .route(`**/share/${id}/video`, (route) => (route.request().method() === 'HEAD' ? route.continue() : {}))
  await openDialog(learner)
  await learner.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(learner.getByRole('progressbar', { name: 'Keeping the training' })).toBeVisible()
  await expect.poll(() => cachesOf(learner)).toHaveLength(2)
  await expectAccessible(learner, 'keeping')
  await learner.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => cachesOf(learner)).toEqual([])
  await expect(learner.getByRole('button', { name: 'Keep on this phone' })).toBeFocused()
  await learner.context().unrouteAll()

  await learner.getByRole('button', { name: 'Keep on this phone' }).click()
  await expect(learner.getByRole('radio', { name: /^With the video/ })).toBeChecked()
  const devtools = await learner.context().newCDPSession(learner)
  const { origin } = new URL(learner.url())
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_500_000 })
  await learner.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(learner.getByRole('alert')).toContainText('The storage of this browser is full, so nothing was kept.')
  expect(await cachesOf(learner)).toEqual([])
  await expectAccessible(learner, 'a full storage')

  // Chromium reports the same generous quota to every site; other browsers report what there is.
  await learner.evaluate(() => {
    navigator.storage.estimate = async () => ({ usage: 0, quota: 1_500_000 })
  })
  await learner.getByRole('button', { name: 'Try again' }).click()
  await expect(learner.getByRole('radio', { name: /^With the video/ })).toBeDisabled()
  await expect(learner.getByText(/^There is room for [\d.]+ MB only\.$/)).toBeVisible()
  await expect(learner.getByRole('radio', { name: /^Without the video/ })).toBeChecked()
  await learner.context().close()
})

test('a training that is kept without its video says so, and is removed from the list', async ({ browser }) => {
  const learner = await openPhone(browser)
  await openDialog(learner)
  await learner.getByRole('radio', { name: /^Without the video/ }).check()
  await learner.getByRole('button', { name: 'Keep', exact: true }).click()
  await learner.getByRole('link', { name: 'All kept trainings' }).click()
  await expect(learner.getByText(/^[\d.]+ [KM]B, without the video · up to date just now$/)).toBeVisible()
  await learner.context().setOffline(true)
  await learner.goto(`/share/${id}`)
  await expect(learner.getByText('The video is not in it.')).toBeVisible()
  await expect(stepsOf(learner).first()).toBeVisible()
  await learner.goto('/kept')
  await learner.getByRole('button', { name: /^Remove / }).click()
  await expect(learner.getByRole('heading', { name: 'Nothing is kept yet' })).toBeVisible()
  await expectAccessible(learner, 'an empty list of what is kept')
  await learner.context().close()
})

test('a training that is not kept leads to those that are, until the network is back', async ({ browser }) => {
  const learner = await openPhone(browser)
  await keep(learner)
  await learner.context().setOffline(true)
  await learner.goto('/share/another-training')
  await expect(learner.getByText('the training that you opened is not kept on this device')).toBeVisible()
  await expect(learner.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(learner, 'a training that is not kept')
  await expectReflow(learner, 'a training that is not kept')
  await learner.context().setOffline(false)
  await expect(learner.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  await learner.context().close()
})

test('the list of what is kept can be installed', async ({ browser }) => {
  const learner = await openPhone(browser)
  await learner.goto('/kept')
  const devtools = await learner.context().newCDPSession(learner)
  const { url, errors } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = (await (await learner.request.get(url)).json()) as Manifest
  expect(manifest).toMatchObject({ start_url: '/kept', display: 'standalone' })
  const sizes = await learner.evaluate(
    async (icons) => {
      const images = icons.map(({ src }) => Object.assign(new Image(), { src }))
      await Promise.all(images.map((image) => image.decode()))
      return images.map(({ naturalWidth, naturalHeight }) => `${naturalWidth}x${naturalHeight}`)
    },
    manifest.icons.filter(({ type }) => type === 'image/png'),
  )
  expect(sizes).toEqual(['192x192', '512x512', '512x512'])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([])
  await learner.context().close()
})

test('a copy goes when its link is switched off, and the page says so', async ({ browser, request }) => {
  const phones = await Promise.all([openPhone(browser), openPhone(browser), openPhone(browser)])
  const [learner, lister, reader] = phones
  for (const phone of phones) await keep(phone)
  await lister.goto('/kept')
  await lister.context().setOffline(true)
  await reader.goto(`/share/${id}`)
  const headers = { authorization: `Bearer ${await tokenOf(trainer)}` }
  expect((await request.patch(`/api/modules/${id}`, { headers, data: { shared: false } })).status()).toBe(200)

  await learner.goto(`/share/${id}`)
  await expect(learner.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  await expect(learner.getByText('Its copy on this device was removed.')).toBeVisible()
  await expectAccessible(learner, 'a copy that is gone')
  await expect.poll(() => titleOfCopy(learner)).toBeNull()
  await learner.context().setOffline(true)
  await learner.goto(`/share/${id}`)
  await expect(learner.getByRole('heading', { name: 'Nothing is kept yet' })).toBeVisible()

  await lister.context().setOffline(false)
  await expect(lister.getByText(/is not shared any more\. Its copy was removed\.$/)).toBeVisible()
  await expect(lister.getByRole('heading', { name: 'Nothing is kept yet' })).toBeVisible()

  // As the page asks when a person returns to it after a while.
  await reader.evaluate((path) => fetch(path, { headers: { accept: 'application/json' } }), `/api/share/${id}`)
  await expect.poll(() => titleOfCopy(reader)).toBeNull()
  for (const phone of phones) await phone.context().close()
})
