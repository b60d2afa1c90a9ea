import { readFileSync } from 'node:fs'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { apiOf, createAccount, signOut, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { openSection, stepsOf, watch } from './training.ts'

let trainer: Page
let id: string

/** A person who has only the link. */
async function openVisitor(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

/** The page says how much of the fourteen seconds was watched, when it was so many from the start. */
function expectWatched(page: Page, seenS: number): Promise<void> {
  const percent = page.getByText(/^\d+% watched$/)
  return expect
    .poll(async () => Math.abs(Number.parseInt((await percent.allTextContents())[0] ?? '', 10) - (seenS / 14) * 100))
    .toBeLessThan(8)
}

async function metrics() {
  return LearningMetricsAnswer.parse(await apiOf(trainer, `/api/learning-metrics/${id}`))
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await openVisitor(browser)
  await createAccount(trainer.request)
  id = await makeSpokenModule(trainer, COVER_LINES)
})

test.afterAll(() => trainer.context().close())

test('a trainer sees that a training has no learners, and their own watching is not counted, there or at the link', async () => {
  const panel = trainer.getByRole('region', { name: 'Learners' })
  await openSection(trainer, 'Learners')
  await expect(panel.getByText(/^No views yet/)).toBeVisible()
  const sent: string[] = []
  trainer.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await watch(trainer, 0, 3)
  await trainer.goto(`/share/${id}`)
  await expect(trainer.locator('video')).toBeVisible()
  await watch(trainer, 0, 3)
  await expect(trainer.getByText(/^\d+% watched$/)).toBeVisible()
  await trainer.goto(`/training/${id}/learners`)
  await expect(panel.getByText(/^No views yet/)).toBeVisible()
  expect(sent).not.toContain('/api/learning-metrics')
  expect(await metrics()).toMatchObject({ learners: 0 })
})

test('a learner at double speed gets ticks and a percentage, which a reload keeps, and is completed by what was seen', async ({
  browser,
}) => {
  const learner = await openVisitor(browser)
  const asked: string[] = []
  learner.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await learner.goto(`/share/${id}`)
  await expect(learner.locator('video')).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  await expect(learner.getByText(/% watched/)).toBeHidden()

  // Jumping to the end is not watching.
  await learner.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 14
  })
  const seenS = await watch(learner, 0, 8.3)
  await expectWatched(learner, seenS)
  await expect(learner.getByText('Completed')).toBeHidden()
  await expect(
    stepsOf(learner)
      .first()
      .getByRole('button', { name: /, finished$/ }),
  ).toBeVisible()
  await expectAccessible(learner, 'share page with ticks')
  await expectReflow(learner, 'share page with ticks')

  await learner.reload()
  await expectWatched(learner, seenS)
  await expect(
    stepsOf(learner)
      .first()
      .getByRole('button', { name: /, finished$/ }),
  ).toBeVisible()

  await expect(learner.locator('video')).toBeVisible()
  await watch(learner, 8, 14.3)
  await expect(learner.getByText('Completed')).toBeVisible()
  await expect.poll(metrics).toMatchObject({ learners: 1, completed: 1 })
  await learner.context().close()
})

test('offline playback is counted at once, and sent when the connection is back', async ({ browser }) => {
  const learner = await openVisitor(browser)
  await learner.goto(`/share/${id}`)
  await expect(learner.locator('video')).toBeVisible()
  await watch(learner, 0, 1)
  const isBuffered = () =>
    learner.locator('video').evaluate(({ buffered, duration }: HTMLVideoElement) => {
      return buffered.length > 0 && buffered.end(buffered.length - 1) >= duration - 0.5
    })
  await expect.poll(isBuffered).toBe(true)
  await expect.poll(metrics).toMatchObject({ learners: 2 })
  await learner.context().setOffline(true)
  await expectWatched(learner, await watch(learner, 1, 7))
  const seenBefore = (await metrics()).meanPercent ?? 0
  await learner.context().setOffline(false)
  await expect.poll(async () => (await metrics()).meanPercent ?? 0).toBeGreaterThan(seenBefore)
  await learner.context().close()
})

test('playback that a closed page could not send is sent by the next page', async ({ browser }) => {
  const context = await browser.newContext()
  const learner = await context.newPage()
  await learner.goto(`/share/${id}`)
  await expect(learner.locator('video')).toBeVisible()
  // Not even a beacon gets out, as when a tab is ended.
  await learner.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('gone'))
    navigator.sendBeacon = () => false
  })
  const seenS = await watch(learner, 0, 5)
  await Promise.all([learner.waitForEvent('close'), learner.close({ runBeforeUnload: true })])
  expect(await metrics()).toMatchObject({ learners: 2 })
  const next = await context.newPage()
  await next.goto(`/share/${id}`)
  await expectWatched(next, seenS)
  // What is ahead of the new session's clock is asked to come again a few seconds later.
  await expect.poll(metrics, { timeout: 30_000 }).toMatchObject({ learners: 3, selfReported: 0 })
  await context.close()
})

test('the trainer sees who has watched how far, changes when it is completed, and takes it away as files', async () => {
  await trainer.reload()
  const panel = trainer.getByRole('region', { name: 'Learners' })
  await expect(panel.getByRole('definition')).toHaveText(['3', '1', /^\d+(\.\d)?%$/])
  await expect(panel.getByRole('img', { name: /^How many learners have seen/ })).toBeVisible()
  const first = panel.getByRole('row').nth(1)
  await expect(first.getByRole('cell').first()).toHaveText(/^3\s*100%$/)
  await expectAccessible(trainer, 'training page with learners')
  await expectReflow(trainer, 'training page with learners')

  await panel.getByRole('spinbutton').fill('30')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('definition').nth(1)).toHaveText('3')

  for (const [name, file] of [
    ['Learners as a table (CSV)', 'learners.csv'],
    ['xAPI statements (JSON)', 'statements.json'],
  ] as const) {
    await panel.getByRole('button', { name: 'Download' }).click()
    const download = trainer.waitForEvent('download')
    await trainer.getByRole('menuitem', { name }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe(file)
    const text = readFileSync(await saved.path(), 'utf8')
    expect(text).not.toContain('anyone:')
    if (file === 'learners.csv') expect(text.trim().split('\r\n')).toHaveLength(4)
    else expect((JSON.parse(text) as unknown[]).length).toBeGreaterThanOrEqual(9)
  }
})

test('a signed-in learner has the same progress on every device', async ({ browser }) => {
  const viewer = await openVisitor(browser)
  await createAccount(viewer.request)
  await viewer.goto(`/training/${id}`)
  await expect(viewer.locator('video')).toBeVisible()
  const seenS = await watch(viewer, 0, 5)
  await expectWatched(viewer, seenS)
  const headers = { authorization: `Bearer ${await tokenOf(viewer)}` }
  const mine = `/api/learning-metrics/${id}/mine`
  const seen = `"seen":[[0,${Math.floor(seenS)}]]`
  await expect.poll(async () => await (await viewer.request.get(mine, { headers })).text()).toContain(seen)
  await viewer.evaluate(() => localStorage.clear())
  await viewer.reload()
  await expectWatched(viewer, seenS)
  await viewer.context().close()
})

test('what was watched before signing in becomes the account’s, also at the link, until it is signed out', async ({
  browser,
}) => {
  const others = (await metrics()).learners
  const person = await openVisitor(browser)
  await person.goto(`/share/${id}`)
  await expect(person.locator('video')).toBeVisible()
  const beforeS = await watch(person, 0, 5)
  await createAccount(person.request)
  await person.goto(`/training/${id}`)
  await expectWatched(person, beforeS)
  const tokenKeys = () => person.evaluate(() => Object.keys(localStorage).filter((key) => /learner/.test(key)))
  await expect.poll(tokenKeys).toEqual(['adapt_account_learner'])
  await expect.poll(async () => (await metrics()).learners).toBe(others + 1)

  await person.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('adapt_learned:')) localStorage.removeItem(key)
  })
  await person.goto(`/share/${id}`)
  await expectWatched(person, beforeS)
  await expectWatched(person, await watch(person, 5, 8))
  await expect.poll(async () => (await metrics()).learners).toBe(others + 1)

  await person.goto('/dashboard')
  await signOut(person)
  await expect.poll(tokenKeys).toEqual([])
  await person.goto(`/share/${id}`)
  await expect(person.locator('video')).toBeVisible()
  await expect(person.getByText(/% watched$/)).toBeHidden()
  await person.context().close()
})
