import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '#local/start/find-chromium.ts'
import { CONDITIONS } from './conditions.ts'

const BYTES_PER_MBIT = 125_000
const PASSWORD = 'A-long-passphrase-7!'

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] })
}

/** A trainer who is signed in, in a browser profile of their own. */
export interface Trainer {
  context: BrowserContext
  userId: string
  /** A new bearer token; it is good for a minute. */
  token(): Promise<string>
}

interface ClerkWindow {
  Clerk: {
    user: { id: string }
    session: { getToken(options: { template: string; skipCache: boolean }): Promise<string> }
  }
}

export async function signUp(browser: Browser, url: string): Promise<Trainer> {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(`bench-${crypto.randomUUID().slice(0, 8)}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(/\/dashboard$/)
  // Away from the dashboard, which would ask for its list while others are measured.
  await page.goto('/upload')
  await page.waitForFunction(() => (window as unknown as ClerkWindow).Clerk?.user != null)
  const userId = await page.evaluate(() => (window as unknown as ClerkWindow).Clerk.user.id)
  const token = () =>
    page.evaluate(() => (window as unknown as ClerkWindow).Clerk.session.getToken({ template: 'api', skipCache: true }))
  return { context, userId, token }
}

/** A page on a slow processor behind a slow line, which keeps nothing from earlier visits. */
export async function openSlowPage(context: BrowserContext): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: CONDITIONS.latencyMs,
    downloadThroughput: CONDITIONS.downMbit * BYTES_PER_MBIT,
    uploadThroughput: CONDITIONS.upMbit * BYTES_PER_MBIT,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CONDITIONS.cpuSlowdown })
  return { page, devtools }
}
