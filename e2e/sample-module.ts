import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { withInstallLock } from '#local/speech/whisper/install-lock.ts'
import { copyModule } from './copy-module.ts'
import { createAccount, signUp } from './people.ts'
import { moduleIdOf, untilReady } from './training.ts'

const MADE_WITHIN_MS = 100_000
let made: Promise<string> | undefined

/**
 * Made once by all processes of a run, of which Playwright's own is the parent: the way of a sample through the screen has
 * journeys of its own, and its minute of speech is work for the recogniser.
 */
function findMade(browser: Browser): Promise<string> {
  const path = join(process.env['E2E_STATE_DIR'] ?? '', `sample-of-${process.ppid}`)
  return withInstallLock(`${path}.lock`, { signal: AbortSignal.timeout(MADE_WITHIN_MS) }, async () => {
    if (!existsSync(path)) writeFileSync(path, await make(browser))
    return readFileSync(path, 'utf8')
  })
}

async function make(browser: Browser): Promise<string> {
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
  made ??= findMade(browser)
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
