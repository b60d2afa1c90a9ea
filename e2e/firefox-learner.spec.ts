import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { CollectionAnswer } from '#contract/collection.ts'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { openFirefox, pinch } from './firefox.ts'
import { apiOf, createAccount, tokenOf } from './people.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { stepsOf, videoTimeOf } from './training.ts'

/** A package of some hundred megabytes, where the machine has no Firefox yet. */
const INSTALL_MS = 240_000

let firefox: Browser
let trainer: Page
let learner: Page
let id: string

/** The words on the image now. */
function captions(): Promise<string> {
  return learner.locator('video').evaluate(({ textTracks: [track] }: HTMLVideoElement) => {
    return track?.mode === 'showing' ? [...(track.activeCues ?? [])].map((cue) => (cue as VTTCue).text).join(' ') : ''
  })
}

/** Where on the image they are, in percent of its height. */
function captionLine(): Promise<number | 'auto' | null> {
  return learner.locator('video').evaluate(({ textTracks: [track] }: HTMLVideoElement) => {
    const cue = track?.activeCues?.[0] as VTTCue | undefined
    return cue?.line ?? null
  })
}

function isPaused(): Promise<boolean> {
  return learner.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(INSTALL_MS)
  firefox = await openFirefox()
  trainer = await browser.newPage()
  await createAccount(trainer.request)
  id = await makeSpokenModule(trainer, COVER_LINES)
  learner = await (await firefox.newContext()).newPage()
})

test.afterAll(async () => {
  await firefox?.close()
  await trainer?.context().close()
})

test('plays in Firefox, and seeks by step, by time line and by keys', async () => {
  await learner.goto(`/share/${id}`)
  // The player's own button: a press that begins on the image before it and ends here is none.
  await learner.getByRole('button', { name: 'Play video', exact: true }).click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(0.5)
  const count = await stepsOf(learner).count()
  await stepsOf(learner).last().getByRole('button').click()
  await expect(learner.getByText(new RegExp(`^Step ${count} of ${count}`))).toBeVisible()
  await expect.poll(isPaused).toBe(false)
  const player = learner.getByRole('region', { name: /^Video player/ })
  await player.press('k')
  await expect.poll(isPaused).toBe(true)

  const bar = player.locator('.player-seek')
  const { width = 0, height = 0 } = (await bar.boundingBox()) ?? {}
  await bar.click({ position: { x: width / 2, y: height / 2 } })
  const middleS = (await learner.locator('video').evaluate((video: HTMLVideoElement) => video.duration)) / 2
  await expect.poll(() => videoTimeOf(learner)).toBeCloseTo(middleS, 0)
  await player.getByRole('slider', { name: 'Seek' }).press('Control+ArrowLeft')
  await expect.poll(() => videoTimeOf(learner)).toBeLessThan(middleS - 0.5)
  await learner.keyboard.press('0')
  await expect.poll(() => videoTimeOf(learner)).toBe(0)
})

test('shows captions in Firefox, above the controls, still after a reload, and resumes where it was left', async () => {
  const player = learner.getByRole('region', { name: /^Video player/ })
  await learner.keyboard.press('5')
  await learner.keyboard.press('c')
  await expect.poll(captions).toMatch(/green button/)
  // The bar lies over the lower edge of the image, where Firefox has its captions otherwise.
  await expect.poll(captionLine).toBeLessThan(85)
  await player.press('k')
  await expect.poll(captionLine, { timeout: 10_000 }).toBe('auto')
  await player.press('k')
  await player.press('5')
  await expect.poll(captions).toMatch(/green button/)
  const leftS = await videoTimeOf(learner)
  await learner.reload()
  await expect(player.getByText(/^Resumed at 00:/)).toBeVisible()
  await expect.poll(() => videoTimeOf(learner)).toBeCloseTo(leftS, 0)
  await expect.poll(captions).toMatch(/green button/)
})

test('counts in Firefox what is watched, remembers it over a reload, and shows it to the trainer', async () => {
  const first = stepsOf(learner).first().getByRole('button')
  await learner.locator('video').evaluate(async (video: HTMLVideoElement) => {
    video.playbackRate = 2
    video.currentTime = 0
    await video.play()
    while (video.currentTime < 8.5) await new Promise(requestAnimationFrame)
    video.pause()
  })
  await expect(learner.getByText(/^[5-9]\d% watched$/)).toBeVisible()
  await expect(first).toHaveAccessibleName(/, finished$/)
  await learner.reload()
  await expect(first).toHaveAccessibleName(/, finished$/)
  const readMetrics = async () => LearningMetricsAnswer.parse(await apiOf(trainer, `/api/learning-metrics/${id}`))
  await expect.poll(async () => (await readMetrics()).steps[0]).toMatchObject({ reached: 1, finished: 1 })
  expect(await readMetrics()).toMatchObject({ learners: 1, completed: 0 })
})

test('two fingers enlarge the video, while it plays, and the image of a step on a phone in Firefox', async ({
  baseURL,
}) => {
  const viewport = { width: 390, height: 844 }
  const phone = await (await firefox.newContext({ viewport, hasTouch: true, baseURL: baseURL ?? '' })).newPage()
  const middleOf = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: x + width / 2, y: y + height / 3 }
  }
  await phone.goto(`/share/${id}`)
  await phone.getByRole('button', { name: 'Play video', exact: true }).click()
  await expect.poll(() => videoTimeOf(phone)).toBeGreaterThan(0)
  const whole = phone.getByRole('button', { name: 'Whole picture' })
  await expect(async () => {
    await pinch(phone, await middleOf(phone.locator('video')))
    await expect(whole).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const [inner, outer] = [await phone.locator('video').boundingBox(), await phone.locator('.player').boundingBox()]
  expect(inner?.width).toBeGreaterThan(1.5 * (outer?.width ?? 0))
  // The picture is larger, and the page is not.
  expect(await phone.evaluate(() => [window.visualViewport?.scale, scrollY])).toEqual([1, 0])
  expect(await phone.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(false)
  await whole.click()
  await expect(whole).toHaveCount(0)

  await stepsOf(phone).first().getByRole('link', { name: 'Enlarge the image' }).click()
  const image = phone.getByRole('dialog', { name: 'Image of the step' })
  await expect(async () => {
    await pinch(phone, await middleOf(image.locator('img')))
    await expect(image).toHaveAttribute('data-zoomed', '', { timeout: 1_000 })
  }).toPass()
  await phone.context().close()
})

test('shows warnings, prints, and leads through a collection on a phone in Firefox', async ({ baseURL }) => {
  const headers = { authorization: `Bearer ${await tokenOf(trainer)}` }
  const callouts = [{ kind: 'warning', text: 'The cover is sharp.' }]
  const steps = COVER_LINES.map((title, at) => ({
    title,
    description: title,
    start: at * 4,
    end: at * 4 + 4,
    callouts,
  }))
  const { meta } = (await apiOf(trainer, `/api/steps/${id}`)) as { meta: { version: number } }
  const data = { steps, version: meta.version }
  expect((await trainer.request.post(`/api/steps/${id}`, { headers, data })).status()).toBe(200)
  const made = await trainer.request.post('/api/collections', { headers, data: { title: 'Filling machine' } })
  const { collection } = CollectionAnswer.parse(await made.json())
  const path = `/api/collections/${collection.id}`
  expect((await trainer.request.patch(path, { headers, data: { moduleIds: [id] } })).status()).toBe(200)

  const viewport = { width: 390, height: 844 }
  const phone = await (await firefox.newContext({ viewport, hasTouch: true, baseURL: baseURL ?? '' })).newPage()
  await phone.goto(collection.shareUrl)
  await expect(phone.getByText('0 of 1 completed')).toBeVisible()
  await phone.getByRole('listitem').getByRole('link').click()
  await expect(phone.getByRole('link', { name: 'Back to Filling machine' })).toBeVisible()
  await expect(async () => {
    await phone.reload()
    await expect(phone.getByText('Warning:').first()).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(stepsOf(phone).first().locator('img')).toHaveAttribute('loading', 'lazy')
  await phone.getByRole('link', { name: 'Print', exact: true }).click()
  await expect(phone.getByRole('heading', { level: 3 })).toHaveCount(steps.length)
  await expect(phone.getByText('The cover is sharp.').first()).toBeVisible()
  const widthPx = await phone.evaluate(() => document.documentElement.scrollWidth)
  expect(widthPx).toBeLessThanOrEqual(viewport.width)
  await phone.context().close()
})
