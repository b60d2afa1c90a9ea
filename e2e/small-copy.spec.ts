import { expect, type Page, test } from '@playwright/test'
import { ShareAnswer } from '#contract/share.ts'
import { enlargeVideo } from './copy-module.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible } from './screen.ts'

/** Runs in the page: a phone whose owner saves data. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget(), { saveData: true }) })
}

function stateOf(page: Page) {
  return page.locator('video').evaluate(({ currentSrc, currentTime, paused, playbackRate }: HTMLVideoElement) => {
    return { path: new URL(currentSrc).pathname, seconds: Math.floor(currentTime), paused, playbackRate }
  })
}

test('a browser of its owner makes a small copy, which a learner who saves data gets, and can leave at the same second', async ({
  page,
  browser,
}) => {
  const id = await makeSample(page)
  await page.goto('/dashboard')
  const origin = new URL(page.url()).origin
  await enlargeVideo(origin, id, 12_000_000)
  await page.reload()
  await page.getByRole('button', { name: 'Small copies 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Small copies' })
  await expect(dialog.getByText('1 training has no small copy.')).toBeVisible()
  await expectAccessible(page, 'the dialog of small copies')
  await dialog.getByRole('button', { name: 'Make now' }).click()
  await expect(dialog.getByText('Still to make: 1')).toBeVisible()
  await expect(dialog.getByText('0 trainings have no small copy.')).toBeVisible({ timeout: 90_000 })
  const { module } = ShareAnswer.parse(await (await page.request.get(`/api/share/${id}`)).json())
  expect(module.smallCopy?.codec).toMatch(/^avc1/)
  // Of the minute of slides; what makes its original large is not read.
  expect(module.smallCopy?.sizeBytes).toBeLessThan(5_000_000)

  const learner = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await learner.addInitScript(saveData)
  await learner.goto(`/share/${id}?t=30`)
  await learner.getByRole('button', { name: /^Play video/ }).click()
  await expect.poll(async () => (await stateOf(learner)).seconds).toBeGreaterThanOrEqual(31)
  expect((await stateOf(learner)).path).toBe(`/share/${id}/video/small`)
  await learner.locator('video').evaluate((video: HTMLVideoElement) => (video.playbackRate = 1.5))

  // A video that plays shows its controls to those who point at it.
  await learner.getByRole('region', { name: /^Video player/ }).hover({ position: { x: 10, y: 10 } })
  await learner.getByRole('button', { name: 'Settings' }).click()
  const quality = learner.getByRole('combobox', { name: 'Quality' })
  await expect(quality).toHaveValue('automatic')
  const before = await stateOf(learner)
  await quality.selectOption('original')
  await expect
    .poll(() => stateOf(learner))
    .toMatchObject({ path: `/share/${id}/video`, paused: false, playbackRate: 1.5 })
  const { seconds } = await stateOf(learner)
  expect(seconds).toBeGreaterThanOrEqual(before.seconds)
  expect(seconds).toBeLessThan(before.seconds + 15)
  // For the next video too.
  expect(await learner.evaluate(() => localStorage.getItem('adapt_quality'))).toBe('original')
  await learner.context().close()
})
