import { expect, type Page, test } from '@playwright/test'
import { makeSample } from './sample-module.ts'
import { expectAccessible } from './screen.ts'
import { sweep } from './sweep.ts'

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search titles, steps, speech and screens' })
const found = (page: Page) => page.getByRole('region', { name: 'In steps, speech and screens' })

for (const width of [1280, 390]) {
  test(`a word that was said leads to its moment, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await makeSample(page)
    const hit = found(page)
      .getByRole('link', { name: /^\d\d:\d\d .*roll/ })
      .first()
    // One sweep indexes 50 modules, and those of other journeys come first.
    await expect(async () => {
      await sweep(page)
      await page.goto('/dashboard')
      await field(page).fill('empty rol')
      await expect(hit).toBeVisible({ timeout: 3_000 })
    }).toPass({ timeout: 90_000 })
    await expect(hit.locator('mark').first()).toHaveText(/^(empty|roll)/i)
    await expectAccessible(page, `found at ${width} px`)
    const time = (await hit.innerText()).slice(0, 5)
    const [minutes = 0, seconds = 0] = time.split(':').map(Number)
    // By the keyboard alone: the moment is a link.
    await hit.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/training\/[\w-]+\?t=\d+/)
    const at = () => page.locator('video').evaluate((video: HTMLVideoElement) => Math.floor(video.currentTime))
    await expect.poll(at).toBe(minutes * 60 + seconds)
  })
}

test('the search says what it could not search, and fits 320 px with a long word', async ({ page }) => {
  await makeSample(page)
  await sweep(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/dashboard')
  await field(page).fill('roll')
  await expect(found(page)).toBeVisible()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await field(page).fill('w'.repeat(200))
  await expect(page.getByRole('heading', { name: 'No module matches' })).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.route('**/api/modules/search?*', (route) => route.fulfill({ status: 400, body: 'broken' }))
  await field(page).fill('printer')
  await expect(page.getByRole('alert')).toHaveText('Steps, speech and screens could not be searched.')
  await expectAccessible(page, 'not searched')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Search again' }).click()
  await expect(found(page)).toBeVisible()
})
