import { expect, type Page } from '@playwright/test'

/** Has the work done that the clock begins each minute. */
export async function sweep(page: Page): Promise<void> {
  const answer = await page.request.get('/cdn-cgi/local/scheduled?cron=*+*+*+*+*', { timeout: 60_000 })
  expect(answer.ok()).toBe(true)
}
