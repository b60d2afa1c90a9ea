import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { median } from '../shared/statistics.ts'
import { CONDITIONS } from './conditions.ts'
import { openSlowPage, type Trainer } from './open-browser.ts'
import { readTimes, watchPage } from './watch-page.ts'

export interface Landing {
  /** Our own JavaScript that a stranger's first visit loads. */
  ownKbGz: number
  /** Of it, file by file, largest first. */
  ownFiles: { file: string; kbGz: number }[]
  /** Clerk's scripts on the same visit. */
  strangerClerkKbGz: number
  /** The same for somebody who is signed in, and how long after the first paint the first of them was asked for. */
  signedInClerkKbGz: number
  signedInClerkAfterPaintMs: number
  firstPaintMs: number
  lcpMs: number
}

interface Script {
  url: string
  kbGz: number
  askedAtMs: number
}

/** Sizes are gzip -9 in kB of 1,000 bytes, whatever the server of this machine sends. */
export async function measureLanding(browser: Browser, url: string, trainer: Trainer): Promise<Landing> {
  const visits = []
  for (let run = 0; run < CONDITIONS.runs; run += 1) {
    const context = await browser.newContext({ baseURL: url })
    visits.push(await visit((await openSlowPage(context)).page, 'stranger'))
    await context.close()
  }
  const stranger = visits[0]
  if (stranger === undefined) throw new Error('no run')
  const signedIn = await visit((await openSlowPage(trainer.context)).page, 'signedIn')
  const own = stranger.scripts.filter(({ url: script }) => !isClerk(script))
  const clerk = signedIn.scripts.filter(({ url: script }) => isClerk(script))
  return {
    ownKbGz: sum(own),
    ownFiles: own
      .map(({ url: script, kbGz }) => ({ file: new URL(script).pathname, kbGz }))
      .toSorted((a, b) => b.kbGz - a.kbGz),
    strangerClerkKbGz: sum(stranger.scripts) - sum(own),
    signedInClerkKbGz: sum(clerk),
    signedInClerkAfterPaintMs: Math.min(...clerk.map(({ askedAtMs }) => askedAtMs)) - signedIn.firstPaintMs,
    firstPaintMs: median(visits.map(({ firstPaintMs }) => firstPaintMs)),
    lcpMs: median(visits.map(({ lcpMs }) => lcpMs)),
  }
}

/** What is on the page when all that it loads by itself is there. */
const LAST = {
  stranger: { role: 'link', name: 'Get Started' },
  signedIn: { role: 'button', name: 'Open user menu' },
} as const

async function visit(page: Page, visitor: keyof typeof LAST) {
  const bodies: Promise<{ url: string; kbGz: number }>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return
    bodies.push(
      response.body().then((body) => ({ url: response.url(), kbGz: gzipSync(body, { level: 9 }).length / 1000 })),
    )
  })
  await watchPage(page)
  await page.goto('/')
  const { role, name } = LAST[visitor]
  await page.getByRole(role, { name }).first().waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  await untilPainted(page)
  const times = await readTimes(page)
  const asked = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, startTime }) => [name, startTime] as const),
  )
  const askedAt = new Map(asked)
  const scripts: Script[] = (await Promise.all(bodies)).map((script) => ({
    ...script,
    askedAtMs: askedAt.get(script.url) ?? Number.NaN,
  }))
  await page.close()
  return { ...times, scripts }
}

/** On a busy machine the browser tells of a paint some time after it. */
async function untilPainted(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
}

function isClerk(url: string): boolean {
  return /clerk/i.test(new URL(url).pathname) && !new URL(url).pathname.startsWith('/assets/')
}

function sum(scripts: readonly Script[]): number {
  return scripts.reduce((total, { kbGz }) => total + kbGz, 0)
}
