import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Width at which WCAG 1.4.10 asks for reflow. */
const NARROW_PX = 320

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.none[0]?.message})`),
  )
}

/** Notes every accessibility fault of what is shown now, in light and in dark. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect.soft(await findings(page), `${what}, ${colorScheme}`).toEqual([])
  }
}

/** Notes when what is shown now would have to be scrolled sideways on a narrow screen. */
export async function expectReflow(page: Page, what: string): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: NARROW_PX, height: 640 })
  const widthPx = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(widthPx, `${what} at ${NARROW_PX} px`).toBeLessThanOrEqual(NARROW_PX)
  if (size !== null) await page.setViewportSize(size)
}
