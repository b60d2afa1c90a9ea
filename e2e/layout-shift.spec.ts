import { expect, type Page, test } from '@playwright/test'
import { makeSample } from './sample-module.ts'
import { stepsOf } from './training.ts'

/** What Core Web Vitals call good is 0.1; a page whose places are held moves less. */
const SHIFT_MAX = 0.05
/** Answers and letters that come late show what moves when they come. */
const ANSWER_DELAY_MS = 400
const SETTLE_MS = 500

interface Shift {
  value: number
  moved: string
}

/** Notes everything that moves by itself, from the first paint on. */
function noteShifts() {
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    })[]) {
      if (entry.hadRecentInput) continue
      const moved = entry.sources
        .map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : ''))
        .join(' ')
      shifts.push({ value: entry.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

async function expectSteady(page: Page, what: string): Promise<void> {
  await page.waitForTimeout(SETTLE_MS)
  const shifts = await shiftsOf(page)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect
    .soft(sum, `${what}: ${shifts.map(({ value, moved }) => `${value.toFixed(3)} ${moved}`).join('\n')}`)
    .toBeLessThan(SHIFT_MAX)
}

test('nothing moves while a page is loading, however late the answers come', async ({ page }) => {
  const id = await makeSample(page)
  await page.addInitScript(noteShifts)
  for (const late of ['**/api/**', '**/*.woff2']) {
    await page.route(late, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ANSWER_DELAY_MS))
      await route.continue()
    })
  }
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/')
    await page.getByRole('link', { name: 'Upload Video' }).first().waitFor()
    await expectSteady(page, `landing at ${size.width}`)
    await page.goto('/upload')
    await page.getByText('Drag and drop a video').waitFor()
    await expectSteady(page, `upload at ${size.width}`)
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Start Training' }).waitFor()
    await expectSteady(page, `dashboard at ${size.width}`)
    await page.goto(`/training/${id}`)
    await stepsOf(page).first().waitFor()
    await expectSteady(page, `training at ${size.width}`)
    await page.goto(`/share/${id}`)
    await stepsOf(page).first().waitFor()
    await expectSteady(page, `share at ${size.width}`)
  }
  await test.step('which would have been noticed', async () => {
    await page.evaluate(() => document.body.insertAdjacentHTML('afterbegin', '<p style="height: 300px">Late</p>'))
    await expect.poll(async () => (await shiftsOf(page)).length).toBeGreaterThan(0)
  })
})
