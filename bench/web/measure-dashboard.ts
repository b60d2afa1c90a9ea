import type { Page } from 'playwright-core'
import { type Spread, spreadOf } from '../shared/statistics.ts'
import { CONDITIONS } from './conditions.ts'
import { openSlowPage, type Trainer } from './open-browser.ts'
import { readTimes, takeLongest, watchPage } from './watch-page.ts'

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
