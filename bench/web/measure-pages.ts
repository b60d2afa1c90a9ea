import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openSlowPage, type PageMarks, readMarks, SLOW, type Trainer } from '../browser.ts'
import { median, spreadOf, sum } from '../scenario.ts'

export const PAGES = { runs: 5, ...SLOW } as const

/** A line that costs nothing. */
export const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 } as const

/** Opens a slow page that keeps nothing from earlier visits. */
export async function openFreshPage(context: BrowserContext) {
  const opened = await openSlowPage(context)
  await opened.devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  return opened
}

type MarkedWindow = { benchMarks: PageMarks }

/** The longest that an interaction and a task took since the last call; 0 where none was long enough to be reported. */
export async function takeLongest(page: Page): Promise<{ interactionMs: number; taskMs: number }> {
  // Event Timing reports an event with the frame after it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  return page.evaluate(() => {
    const { interactionsMs, tasks } = (window as unknown as MarkedWindow).benchMarks
    const taskMs = Math.max(0, ...tasks.splice(0).map(({ tookMs }) => tookMs))
    return { interactionMs: Math.max(0, ...interactionsMs.splice(0)), taskMs }
  })
}

const SEARCHED = 'number 77'

/** A trainer with many modules opens the dashboard and uses it. */
export async function measureDashboard(trainer: Trainer) {
  const runs = []
  for (let run = 0; run < PAGES.runs; run += 1) runs.push(await measureRun(trainer))
  return {
    lcpMs: spreadOf(runs.map(({ lcpMs }) => lcpMs)),
    /** The slowest of the interactions of a run: layout, share dialog, and letters in the search. */
    interactionMs: spreadOf(runs.map(({ clicks, typing }) => Math.max(clicks.interactionMs, typing.interactionMs))),
    /** The longest task while the search was typed at, in each run; 0 where none took 50 ms. */
    typingTaskMs: spreadOf(runs.map(({ typing }) => typing.taskMs)),
    /** The same computation in each run: what others on this machine do to every figure of a page. */
    fixedTaskMs: spreadOf(runs.flatMap(({ fixedTasksMs }) => fixedTasksMs)),
  }
}

async function measureRun({ context }: Trainer) {
  const { page, devtools } = await openFreshPage(context)
  await page.goto('/dashboard')
  // Looking for an item by its role would take the page's processor from the page until there is one.
  await page.waitForLoadState('networkidle')
  await page.getByRole('listitem').first().waitFor()
  const { lcpMs } = await readMarks(page)
  await devtools.send('Network.emulateNetworkConditions', UNLIMITED)
  await loadAll(page)
  const fixedTasksMs = await measureFixedTasks(page)
  await takeLongest(page)
  const clicks = await measureClicks(page)
  const typing = await measureTyping(page)
  await page.close()
  return { lcpMs, clicks, typing, fixedTasksMs }
}

/** About 20 ms of a processor of 2020 that has nothing else to do and is not slowed down. */
const FIXED_TASK_ROUNDS = 4_000_000

function measureFixedTasks(page: Page): Promise<number[]> {
  return page.evaluate((rounds) => {
    return [1, 2, 3].map(() => {
      const startedAt = performance.now()
      let total = 0
      for (let round = 0; round < rounds; round += 1) total = (total * 31 + round) % 1_000_003
      return performance.now() - startedAt + (total < 0 ? 1 : 0)
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
  const shares = page.getByRole('button', { name: /^Share: / })
  await shares.first().click()
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

interface Script {
  url: string
  kbGz: number
  askedAtMs: number
}

const isClerk = ({ url }: Script) =>
  /clerk/i.test(new URL(url).pathname) && !new URL(url).pathname.startsWith('/assets/')

const kbOf = (scripts: readonly Script[]) => sum(scripts.map(({ kbGz }) => kbGz))

/** Sizes are gzip -9 in kB of 1,000 bytes, whatever the server of this machine sends. */
export async function measureLanding(browser: Browser, url: string, trainer: Trainer) {
  const visits = []
  for (let run = 0; run < PAGES.runs; run += 1) {
    const context = await browser.newContext({ baseURL: url })
    visits.push(await visit(context, 'stranger'))
    await context.close()
  }
  const [stranger] = visits as [Visit]
  const signedIn = await visit(trainer.context, 'signedIn')
  const own = stranger.scripts.filter((script) => !isClerk(script))
  const clerk = signedIn.scripts.filter(isClerk)
  return {
    /** Our own JavaScript that a stranger's first visit loads. */
    ownKbGz: kbOf(own),
    /** Of it, file by file, largest first. */
    ownFiles: own
      .map(({ url: script, kbGz }) => ({ file: new URL(script).pathname, kbGz }))
      .toSorted((a, b) => b.kbGz - a.kbGz),
    /** Clerk's scripts on the same visit. */
    strangerClerkKbGz: kbOf(stranger.scripts) - kbOf(own),
    /** The same for a person who is signed in, and how long after the first paint the first of them was asked for. */
    signedInClerkKbGz: kbOf(clerk),
    signedInClerkAfterPaintMs: Math.min(...clerk.map(({ askedAtMs }) => askedAtMs)) - signedIn.firstPaintMs,
    firstPaintMs: median(visits.map(({ firstPaintMs }) => firstPaintMs)),
    lcpMs: median(visits.map(({ lcpMs }) => lcpMs)),
  }
}

type Visit = Awaited<ReturnType<typeof visit>>

/** What is on the page when all that it loads by itself is there. */
const LAST = {
  stranger: { role: 'link', name: 'Get Started' },
  signedIn: { role: 'button', name: 'Open user menu' },
} as const

async function visit(context: BrowserContext, visitor: keyof typeof LAST) {
  const { page } = await openFreshPage(context)
  const bodies: Promise<Omit<Script, 'askedAtMs'>>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return
    const weigh = (body: Buffer) => ({ url: response.url(), kbGz: gzipSync(body, { level: 9 }).length / 1_000 })
    bodies.push(response.body().then(weigh))
  })
  await page.goto('/')
  const { role, name } = LAST[visitor]
  await page.getByRole(role, { name }).first().waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  // On a busy machine the browser reports a paint some time after it.
  await page.waitForFunction(() => (window as unknown as MarkedWindow).benchMarks.firstPaintMs > 0)
  const { firstPaintMs, lcpMs } = await readMarks(page)
  const asked = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => [entry.name, entry.startTime] as const),
  )
  const askedAt = new Map(asked)
  const scripts = (await Promise.all(bodies)).map((script): Script => {
    return { ...script, askedAtMs: askedAt.get(script.url) ?? Number.NaN }
  })
  await page.close()
  return { firstPaintMs, lcpMs, scripts }
}
