import { type Browser, expect, type Page } from '@playwright/test'
import { copyModule } from './copy-module.ts'
import { createAccount, signUp } from './people.ts'
import { moduleIdOf, untilReady } from './training.ts'

/** Made once by each process of the run: the way of a sample through the screen has journeys of its own. */
let made: Promise<string> | undefined

async function makeOnce(browser: Browser): Promise<string> {
  const page = await (await browser.newContext()).newPage()
  await signUp(page)
  await page.getByRole('button', { name: 'Try it with a sample' }).click()
  await page.waitForURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
  await page.context().close()
  return moduleIdOf(page)
}

/** A new person with the finished sample, who has not opened anything yet. @returns its id */
export async function makeSample(page: Page): Promise<string> {
  const { userId, origin } = await createAccount(page.request)
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page has no browser')
  made ??= makeOnce(browser)
  return copyModule(origin, userId, await made)
}

/** A new person with the finished sample, on its training page. @returns its id */
export async function openSample(page: Page): Promise<string> {
  const id = await makeSample(page)
  await page.goto(`/training/${id}`)
  await untilReady(page)
  await expect(page.locator('video')).toBeVisible()
  return id
}
