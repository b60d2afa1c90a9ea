import { expect, type Page, test } from '@playwright/test'
import { RECENT_FEEDBACK_MAX } from '#contract/limits.ts'
import { createAccount } from './people.ts'
import { expectAccessible } from './screen.ts'
import { runSql, seedModules } from './seed-modules.ts'

/** What people and files are called: one letter, a sentence, the most that is taken, and what has no place to break. */
const TITLES = [
  'A',
  'How to change the filter of the pump in the cellar of the old building, in case that the red light is on',
  `The whole procedure, ${'step by step and without any haste, '.repeat(5)}`.slice(0, 200).trim(),
  `🔧🧑‍🔧👩🏽‍🏭 ${'🛠️'.repeat(60)}`,
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(4).slice(0, 200),
]

const INSERT_FEEDBACK = `INSERT INTO feedback (id, module_id, user_id, type, action, user_message, created_at)
  SELECT 'feedback-' || value, value, 'user_learner', 'ai_improvement', NULL, ?2, 1000 + key FROM json_each(?1)`
const INSERT_STEPS = `INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms)
  SELECT ?1, 'step-' || key, key, value, value, key * 20000, key * 20000 + 20000 FROM json_each(?2)`
const INSERT_OPENED = `INSERT INTO opened_modules (user_id, module_id, opened_at)
  SELECT ?1, value, 1000 + key FROM json_each(?2)`

/** What stands out of the window, or of a card that it is in, at a width. */
async function findOverflow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > window.innerWidth
    const out = [...document.querySelectorAll('main *, [role=dialog] *')].filter((element) => {
      const { right, width: own, height } = element.getBoundingClientRect()
      const isHidden = own <= 1 || height <= 1 || element.closest('.sr-only') !== null
      const isClipped = element.closest('.overflow-x-auto, .truncate, .line-clamp-2, [data-player], .player') !== null
      return !isHidden && !isClipped && right > window.innerWidth + 1
    })
    const named = out
      .slice(0, 5)
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`)
    return wide ? [`the page is ${document.documentElement.scrollWidth} px wide`, ...named] : named
  })
}

async function expectFits(page: Page, what: string): Promise<void> {
  for (const width of [320, 390, 1280]) {
    await expect.poll(() => findOverflow(page, width), { message: `${what} at ${width} px` }).toEqual([])
  }
}

test('no title is too long for a list or a card', async ({ page, browser, baseURL }) => {
  const { origin, userId } = await createAccount(page.request)
  const own = await seedModules(
    origin,
    userId,
    TITLES.map((title) => ({ title })),
  )
  await seedModules(
    origin,
    userId,
    TITLES.map((title) => ({ title, status: 'PROCESSING', message: title, progress: 40 })),
  )
  await seedModules(
    origin,
    userId,
    TITLES.map((title) => ({ title, status: 'FAILED', lastError: title })),
  )
  const others = await seedModules(
    origin,
    'user_of_long_titles',
    TITLES.map((title) => ({ title })),
  )
  await runSql(origin, INSERT_OPENED, [userId, JSON.stringify(others)])
  const [longest = ''] = own.slice(-1)
  await runSql(origin, INSERT_STEPS, [longest, JSON.stringify(TITLES.map((title) => title.slice(0, 99)))])

  await test.step('the dashboard, with each of them as the newest feedback', async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Trainings you opened' })).toBeVisible()
    await page.getByRole('button', { name: /^Show all/ }).click()
    for (const ids of [own.slice(0, RECENT_FEEDBACK_MAX), own.slice(RECENT_FEEDBACK_MAX)]) {
      await runSql(origin, 'DELETE FROM feedback WHERE user_id = ?1', ['user_learner'])
      await runSql(origin, INSERT_FEEDBACK, [JSON.stringify(ids), TITLES[4] ?? ''])
      await page.reload()
      await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')).toHaveCount(ids.length)
      await expectFits(page, 'dashboard')
    }
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expectFits(page, 'dashboard as a list')
    await expectAccessible(page, 'dashboard with long titles')
  })
  await test.step('the debug page', async () => {
    await runSql(origin, 'INSERT INTO tutor_days SELECT value, ?2, 7, 0 FROM json_each(?1)', [
      JSON.stringify(own),
      new Date().toISOString().slice(0, 10),
    ])
    await page.goto('/debug')
    await expect(page.getByRole('region', { name: 'AI use, last 30 days' }).getByRole('listitem')).toHaveCount(5)
    await expectFits(page, 'debug page')
  })
  await test.step('the pages of a module', async () => {
    for (const path of [`/training/${longest}`, `/training/${longest}/settings`, `/edit-steps/${longest}`]) {
      await page.goto(path)
      await expect(page.getByText(TITLES[1]?.slice(0, 99) ?? '').first()).toBeVisible()
      await expectFits(page, path)
    }
    await page.goto(`/training/${longest}/settings`)
    await page.getByRole('button', { name: 'Share', exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectFits(page, 'share dialog')
  })
  await test.step('what a learner sees', async () => {
    const learner = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    for (const path of ['share', 'embed']) {
      await learner.goto(`/${path}/${longest}`)
      await expect(learner.getByRole('heading', { level: 1 })).toContainText('Donau')
      await expectFits(learner, path)
    }
    await learner.context().close()
  })
})
