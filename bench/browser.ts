import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '#local/start/tools.ts'

const BYTES_PER_MBIT = 125_000
/**
 * A phone of the middle of the market beside a desktop, as Lighthouse has it for mobiles, on "Fast 4G" of Chromium's
 * developer tools: nine tenths of 9 and 1.5 Mbit/s, and 165 ms for each request.
 */
export const SLOW = { cpuSlowdown: 4, downMbit: 8.1, upMbit: 1.35, latencyMs: 165 } as const
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

/** Puts a page on a slow processor behind a slow line. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.downMbit * BYTES_PER_MBIT,
    uploadThroughput: SLOW.upMbit * BYTES_PER_MBIT,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpuSlowdown })
  return devtools
}

/** Opens a slow page that keeps nothing from earlier visits. */
export async function openSlowPage(context: BrowserContext): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage()
  const devtools = await slowDown(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  return { page, devtools }
}
