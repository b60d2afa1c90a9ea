import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { openSlowPage, type Trainer } from '../browser.ts'
import { median, type Spread, spreadOf } from '../scenario.ts'
import { CONDITIONS, readTimes, takeLongest, watchPage } from './page.ts'

export interface Dashboard {
  lcpMs: Spread
  /** The slowest of the interactions of a run: layout, share dialog, and letters in the search. */
  interactionMs: Spread
  /** The longest task while the search was typed at, in each run; 0 where none took 50 ms. */
  typingTaskMs: Spread
  /** The same computation in each run: what others on this machine do to every figure of a page. */
  fixedTaskMs: Spread
}

const SEARCHED = 'number 77'

/** A trainer with many modules opens the dashboard and uses it. */
export async function measureDashboard(trainer: Trainer): Promise<Dashboard> {
  const runs = []
  for (let run = 0; run < CONDITIONS.runs; run += 1) runs.push(await measureRun(trainer))
  return {
    lcpMs: spreadOf(runs.map(({ lcpMs }) => lcpMs)),
    interactionMs: spreadOf(runs.map(({ interactionMs }) => interactionMs)),
    typingTaskMs: spreadOf(runs.map(({ typingTaskMs }) => typingTaskMs)),
    fixedTaskMs: spreadOf(runs.flatMap(({ fixedTasksMs }) => fixedTasksMs)),
  }
}

async function measureRun({ context }: Trainer) {
  const { page, devtools } = await openSlowPage(context)
  await watchPage(page)
  await page.goto('/dashboard')
  await page.getByRole('listitem').first().waitFor()
  await page.waitForLoadState('networkidle')
  const { lcpMs } = await readTimes(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await loadAll(page)
  const fixedTasksMs = await measureFixedTasks(page)
  await takeLongest(page)
  const clicks = await measureClicks(page)
  const typing = await measureTyping(page)
  await page.close()
  return {
    lcpMs,
    interactionMs: Math.max(clicks.interactionMs, typing.interactionMs),
    typingTaskMs: typing.taskMs,
    fixedTasksMs,
  }
}

/** About 20 ms of a processor of 2020 that has nothing else to do and is not slowed down. */
const FIXED_TASK_ROUNDS = 4_000_000

function measureFixedTasks(page: Page): Promise<number[]> {
  return page.evaluate((rounds) => {
    return [1, 2, 3].map(() => {
      const startedAt = performance.now()
      let sum = 0
      for (let round = 0; round < rounds; round += 1) sum = (sum * 31 + round) % 1_000_003
      return performance.now() - startedAt + (sum < 0 ? 1 : 0)
    })
  }, FIXED_TASK_ROUNDS)
}

/** Scrolls until the list knows how long it is. */
async function loadAll(page: Page): Promise<void> {
  const isWhole = () => page.getByRole('listitem').first().getAttribute('aria-setsize')
  while ((await isWhole()) === '-1') {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(50)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForTimeout(300)
}

async function measureClicks(page: Page) {
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByRole('button', { name: 'Grid' }).click()
  await page
    .getByRole('button', { name: /^Share: / })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  return takeLongest(page)
}

async function measureTyping(page: Page) {
  await page.getByRole('searchbox').click()
  // Slower than the pause that the search waits for, so that every letter is searched for.
  await page.keyboard.type(SEARCHED, { delay: 300 })
  await page.getByText('modules match').waitFor({ state: 'attached' })
  await page.getByRole('searchbox').fill('')
  await page.waitForTimeout(500)
  return takeLongest(page)
}

export interface Landing {
  /** Our own JavaScript that a stranger's first visit loads. */
  ownKbGz: number
  /** Of it, file by file, largest first. */
  ownFiles: { file: string; kbGz: number }[]
  /** Clerk's scripts on the same visit. */
  strangerClerkKbGz: number
  /** The same for a person who is signed in, and how long after the first paint the first of them was asked for. */
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

/** On a busy machine the browser reports a paint some time after it. */
async function untilPainted(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
}

function isClerk(url: string): boolean {
  return /clerk/i.test(new URL(url).pathname) && !new URL(url).pathname.startsWith('/assets/')
}

function sum(scripts: readonly Script[]): number {
  return scripts.reduce((total, { kbGz }) => total + kbGz, 0)
}
