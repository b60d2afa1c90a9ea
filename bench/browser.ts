import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '#local/start/tools.ts'
import { createAccount } from '../e2e/people.ts'

const BYTES_PER_MBIT = 125_000
/**
 * A phone of the middle of the market beside a desktop, as Lighthouse has it for mobiles, on "Fast 4G" of Chromium's
 * developer tools: nine tenths of 9 and 1.5 Mbit/s, and 165 ms for each request.
 */
export const SLOW = { cpuSlowdown: 4, downMbit: 8.1, upMbit: 1.35, latencyMs: 165 } as const

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] })
}

type ClerkWindow = { Clerk?: { user: object | null } }

/** Opens a browser profile of its own in which a new trainer is signed in. */
export async function signUp(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url })
  const { userId } = await createAccount(context.request)
  const page = await context.newPage()
  // Away from the dashboard, which would ask for its list while others are measured.
  await page.goto('/upload')
  await page.waitForFunction(() => (window as unknown as ClerkWindow).Clerk?.user != null)
  return { context, userId }
}

export type Trainer = Awaited<ReturnType<typeof signUp>>

/** What a page reports about itself, in ms since it was opened. */
export interface PageMarks {
  firstPaintMs: number
  /** When the largest thing in the window was last drawn. */
  lcpMs: number
  layoutShift: number
  tasks: { endMs: number; tookMs: number }[]
  interactionsMs: number[]
}

/** Event Timing reports no event that took less. */
const SHORTEST_EVENT_MS = 16

/** Runs in the page, before anything else does. */
function watchMarks(durationThreshold: number): void {
  const marks: PageMarks = { firstPaintMs: Number.NaN, lcpMs: 0, layoutShift: 0, tasks: [], interactionsMs: [] }
  Object.assign(window, { benchMarks: marks })
  const watch = <Entry extends PerformanceEntry>(type: string, take: (entry: Entry) => void, options = {}) =>
    new PerformanceObserver((list) => (list.getEntries() as Entry[]).forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') marks.firstPaintMs = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => {
    marks.lcpMs = startTime
  })
  watch('longtask', ({ startTime, duration }) => {
    marks.tasks.push({ endMs: startTime + duration, tookMs: duration })
  })
  watch<PerformanceEntry & { value: number; hadRecentInput: boolean }>('layout-shift', (shift) => {
    if (!shift.hadRecentInput) marks.layoutShift += shift.value
  })
  const takeEvent = ({ interactionId, duration }: PerformanceEventTiming) => {
    if (interactionId > 0) marks.interactionsMs.push(duration)
  }
  watch('event', takeEvent, { durationThreshold })
}

export function readMarks(page: Page): Promise<PageMarks> {
  return page.evaluate(() => (window as unknown as { benchMarks: PageMarks }).benchMarks)
}

/** Opens a page on a slow processor behind a slow line, whose marks can be read. */
export async function openSlowPage(context: BrowserContext): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.downMbit * BYTES_PER_MBIT,
    uploadThroughput: SLOW.upMbit * BYTES_PER_MBIT,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpuSlowdown })
  await page.addInitScript(watchMarks, SHORTEST_EVENT_MS)
  return { page, devtools }
}
