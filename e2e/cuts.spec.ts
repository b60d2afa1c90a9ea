import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { StepsAnswer } from '#contract/step.ts'
import { apiOf, tokenOf } from './people.ts'
import { makeSample, openSample } from './sample-module.ts'
import { expectAccessible } from './screen.ts'
import { stepsOf, videoTimeOf } from './training.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test.use(PHONE)

test('what its owner leaves out is jumped over, and is in no caption of a learner', async ({ page, browser }) => {
  const id = await openSample(page)
  const { steps } = StepsAnswer.parse(await apiOf(page, `/api/steps/${id}`))
  const second = steps[1]
  if (second === undefined) throw new Error('the sample has two steps')
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const data = { cuts: [[second.start, second.end]] }
  expect((await page.request.put(`/api/steps/${id}/cuts`, { headers, data })).ok()).toBe(true)
  const owned = page.getByRole('region', { name: 'Left out of the video' })
  await expect(owned.getByText(/of the video is left out/)).toBeVisible()
  await expect(stepsOf(page).nth(1).getByText('Left out', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a training with a cut')

  const learner = await (await browser.newContext(PHONE)).newPage()
  await learner.goto(`/share/${id}?t=${Math.ceil(second.start + 1)}`)
  await expect(stepsOf(learner)).toHaveCount(steps.length - 1)
  await learner.getByRole('button', { name: /^Play video/ }).tap()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThanOrEqual(second.end - 0.05)
  const captions = await (await learner.request.get(`/share/${id}/captions.vtt`)).text()
  expect(captions).not.toContain(second.originalText.slice(0, 30))

  await owned.getByRole('button', { name: 'Play all of it' }).click()
  await expect(owned.getByText(/of the video is left out/)).toHaveCount(0)
})

/** Two fingers on the video, which end twice as far apart. */
async function pinch(cdp: CDPSession, page: Page): Promise<void> {
  const box = await page.locator('video').boundingBox()
  if (box === null) throw new Error('there is no video')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3]
  const touch = (type: 'touchStart' | 'touchMove', apartPx: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        { x: x - apartPx, y, id: 0 },
        { x: x + apartPx, y, id: 1 },
      ],
    })
  await touch('touchStart', 30)
  for (const apartPx of [40, 50, 60]) await touch('touchMove', apartPx)
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('two fingers enlarge the video and the image of a step on a phone', async ({ page }) => {
  const id = await openSample(page)
  await page.goto(`/share/${id}`)
  await page.getByRole('button', { name: /^Play video/ }).tap()
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(0)
  const cdp = await page.context().newCDPSession(page)
  const whole = page.getByRole('button', { name: 'Whole picture' })
  await expect(async () => {
    await pinch(cdp, page)
    await expect(whole).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const player = page.locator('.player')
  const [inner, outer] = await Promise.all([page.locator('video').boundingBox(), player.boundingBox()])
  expect(inner?.width).toBeGreaterThan(1.5 * (outer?.width ?? 0))
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
  await whole.tap()
  await expect(whole).toHaveCount(0)

  await stepsOf(page).first().getByRole('link', { name: 'Enlarge the image' }).tap()
  const image = page.getByRole('dialog', { name: 'Image of the step' })
  await image.getByRole('button', { name: 'Larger' }).tap()
  await expect(image).toHaveAttribute('data-zoomed')
  await expectAccessible(page, 'an enlarged image')
  await image.getByRole('button', { name: 'Close' }).tap()
  await expect(image).toHaveCount(0)
})

test('a phone that follows along shows the marked part of a step, with the whole one tap away', async ({ page }) => {
  const id = await makeSample(page)
  await page.goto('/dashboard')
  const { steps } = StepsAnswer.parse(await apiOf(page, `/api/steps/${id}`))
  const focus = { x: 50, y: 0, width: 50, height: 50 }
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const data = { steps: steps.map((step, at) => (at === 0 ? { ...step, focus } : step)) }
  expect((await page.request.post(`/api/steps/${id}`, { headers, data })).ok()).toBe(true)
  await page.goto(`/share/${id}?follow=1`)
  const whole = page.getByRole('dialog').getByRole('button', { name: 'Whole picture' })
  await expect(whole).toBeVisible()
  const [inner, outer] = await Promise.all([page.locator('video').boundingBox(), page.locator('.player').boundingBox()])
  expect(inner?.width).toBeCloseTo(2 * (outer?.width ?? 0), 0)
  expect(inner?.x).toBeCloseTo((outer?.x ?? 0) - (outer?.width ?? 0), 0)
  await whole.tap()
  await expect(whole).toHaveCount(0)
})
