import { expect, type Locator, type Page } from '@playwright/test'

const STEP_MS = 5_000
const WITHIN_MS = 60_000

/**
 * Waits for what a page says once it has tried several times; the pauses between its tries are skipped. The page's clock
 * must be installed before the page is opened.
 */
export async function untilTriesEnd(page: Page, said: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS)
    await expect(said).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: WITHIN_MS })
}
