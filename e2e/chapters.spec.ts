import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { makeLooped } from './odd-media.ts'
import { createAccount, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { toCaptions } from './spoken-module.ts'
import { moduleIdOf, stepsOf, untilReady } from './training.ts'

const LINE_S = 6
/** Two are a step, so that the list has fourteen. */
const LINES = Array.from({ length: 28 }, (_, at) => `Now press the button number ${at + 1} until its light is on.`)
const ROUNDS = 13
/** By the step that each begins with. */
const CHAPTERS = [
  [0, 'Set the machine up'],
  [5, 'Run a batch'],
  [10, 'Clean and close it'],
] as const
const TITLES = CHAPTERS.map(([, title]) => title)

/** Steps as a model makes them of such a long video. */
const STEPS = Array.from({ length: LINES.length / 2 }, (_, at) => ({
  title: `Press a pair of buttons, round ${at + 1}`,
  description: `Press the buttons ${2 * at + 1} and ${2 * at + 2} until their lights are on.`,
  start: 2 * at * LINE_S,
  end: 2 * (at + 1) * LINE_S,
  chapter: CHAPTERS.findLast(([first]) => first <= at)?.[1] ?? null,
}))

const headings = (page: Page) => page.getByRole('region', { name: 'Steps' }).getByRole('heading', { level: 3 })

test('a long list has chapters: for its owner, by the link, on the time line, and renamed by keyboard', async ({
  page,
  browser,
  baseURL: origin,
}) => {
  await createAccount(page.request)
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles([
    { name: 'looped.mp4', mimeType: 'video/mp4', buffer: readFileSync(makeLooped(ROUNDS)) },
    { name: 'looped.vtt', mimeType: 'text/vtt', buffer: toCaptions(LINES, LINE_S) },
  ])
  await page.waitForURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const saved = await page.request.post(`/api/steps/${moduleIdOf(page)}`, { headers, data: { steps: STEPS } })
  expect(saved.status()).toBe(200)
  await page.reload()
  const link = await (await browser.newContext()).newPage()

  await test.step('its owner sees steps under headings', async () => {
    await expect(headings(page)).toHaveText(TITLES)
    await expect(stepsOf(page)).toHaveCount(STEPS.length)
    await expect(stepsOf(page).nth(5)).toContainText(/^Run a batch.*Press a pair of buttons, round 6/s)
    await expectAccessible(page, 'chapters of an owner')
    await expectReflow(page, 'chapters of an owner')
  })

  await test.step('so do people with the link, and the player', async () => {
    await link.goto(`${origin}/share/${moduleIdOf(page)}`)
    await expect(headings(link).filter({ hasText: /^(Set|Run|Clean)/ })).toHaveText(TITLES)
    await expectAccessible(link, 'chapters by the link')
    await expectReflow(link, 'chapters by the link')
    await stepsOf(link).nth(6).getByRole('button').first().click()
    await expect(link.getByText(/^Step 7 of 14 · .* · Run a batch$/)).toBeVisible()
    const player = link.getByRole('region', { name: /^Video player/ })
    await expect(player.locator('.begins-chapter')).toHaveCount(TITLES.length - 1)
    const bar = player.locator('.player-seek')
    const { width = 0 } = (await bar.boundingBox()) ?? {}
    // The controls of a video that plays are hidden after a while.
    const video = link.locator('video')
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.paused)).toBe(false)
    await video.evaluate((each: HTMLVideoElement) => each.pause())
    await bar.hover({ position: { x: width - 2, y: 8 } })
    await expect(player.locator('.player-preview-chapter')).toHaveText('Clean and close it')
  })

  await test.step('a heading is renamed and removed by keyboard', async () => {
    const rename = page.getByRole('button', { name: 'Rename chapter: Run a batch' })
    await rename.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Chapter title' })).toBeFocused()
    await expectAccessible(page, 'a chapter that is renamed')
    await expectReflow(page, 'a chapter that is renamed')
    await page.keyboard.type('Make ten of them')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Rename chapter: Make ten of them' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(headings(page)).toHaveText(TITLES.filter((title) => title !== 'Run a batch'))
    const shared = async () => (await link.request.get(`${origin}/api/share/${moduleIdOf(page)}`)).text()
    await expect.poll(shared).not.toContain('Make ten of them')
    await page.getByRole('button', { name: 'Undo' }).click()
    // A reload would end a save that is still on its way.
    await expect.poll(shared).toContain('Make ten of them')
    await page.reload()
    await expect(headings(page)).toHaveText(['Set the machine up', 'Make ten of them', 'Clean and close it'])
  })
  await link.context().close()
})
