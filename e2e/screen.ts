import { expect, type Page } from '@playwright/test'
import { axeColourFindings, axeFindings } from './axe.ts'

/** Width at which WCAG 1.4.10 asks for reflow. */
const NARROW_PX = 320

/**
 * Notes every accessibility fault of what is shown now, in light and in dark. From the top of the page: what the bar
 * covers by half, wherever one happens to have scrolled, would count as too small.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const scrolledPx = await page.evaluate(() => window.scrollY)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect.soft(await axeColourFindings(page), `${what}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect.soft(await axeFindings(page), `${what}, light`).toEqual([])
  await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), scrolledPx)
}

/** Notes when what is shown now would have to be scrolled sideways on a narrow screen. */
export async function expectReflow(page: Page, what: string): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: NARROW_PX, height: 640 })
  const widthPx = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(widthPx, `${what} at ${NARROW_PX} px`).toBeLessThanOrEqual(NARROW_PX)
  if (size !== null) await page.setViewportSize(size)
}
