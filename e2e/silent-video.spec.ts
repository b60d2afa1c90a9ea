import { expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { makeSilent } from './odd-media.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf } from './training.ts'

test.describe.configure({ mode: 'parallel' })

test.beforeEach(({ page }) => createAccount(page.request))

const titleAt = (page: Page, at: string) => page.getByLabel(`Title of the scene at ${at}`, { exact: true })

async function send(page: Page, path: string, { hasAudio }: { hasAudio: boolean }): Promise<void> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles(path)
  if (!hasAudio) await page.getByRole('button', { name: 'Upload anyway' }).click()
  await expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
}

/** The naming screen, with the scenes of the video that `makeSilent` makes. */
async function untilNaming(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Name the steps' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText('Seen, not said')).toHaveCount(3)
}

async function readModule(page: Page) {
  return ModuleAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}`)).module
}

for (const [what, width, hasAudio] of [
  ['a wide screen, with an audio track that is silent', 1440, true],
  ['a phone, without an audio track', 390, false],
] as const) {
  test(`a silent video becomes a training by naming what is seen in it, on ${what}`, { tag: '@fault-26' }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await send(page, makeSilent({ hasAudio }), { hasAudio })
    await untilNaming(page)
    expect(await readModule(page)).toMatchObject({ status: 'FAILED', failureCode: 'unnamed', steps: [] })
    for (const image of await page
      .getByRole('button', { name: /^Play the scene/ })
      .getByRole('presentation')
      .all()) {
      await expect.poll(() => image.evaluate((drawn: HTMLImageElement) => drawn.naturalWidth)).toBeGreaterThan(0)
    }
    await expectAccessible(page, 'scenes to be named')
    await expectReflow(page, 'scenes to be named')

    await titleAt(page, '0 seconds').click()
    await page.keyboard.type('Close the valve')
    await page.keyboard.press('Enter')
    await expect(titleAt(page, '8 seconds')).toBeFocused()
    await expect(page.getByText(/^The training is open/)).toBeVisible()
    expect(await readModule(page)).toMatchObject({ status: 'READY', steps: [{ title: 'Close the valve', start: 0 }] })

    await page.reload()
    await expect(page.getByText('Seen, not said')).toHaveCount(2)
    await titleAt(page, '8 seconds').fill('Take the filter out')
    await titleAt(page, '8 seconds').press('Enter')
    await expect(page.getByText('Take the filter out')).toBeVisible()
    await titleAt(page, '16 seconds').fill('Put the new one in')
    await expectAccessible(page, 'scenes of which one is named')
    await page.getByRole('button', { name: 'Open the training' }).click()
    await expect(stepsOf(page)).toHaveCount(3)
    expect((await readModule(page)).steps.map(({ title, start }) => [title, start])).toEqual([
      ['Close the valve', 0],
      ['Take the filter out', 8],
      ['Put the new one in', 16],
    ])
  })
}

test('scenes are named in two tabs, and left out ones stay away', async ({ page, context }) => {
  await send(page, makeSilent({ hasAudio: false }), { hasAudio: false })
  await untilNaming(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await untilNaming(other)
  await titleAt(page, '0 seconds').fill('Close the valve')
  await titleAt(page, '0 seconds').press('Enter')
  await expect(other.getByText('Close the valve')).toBeVisible()
  await other.getByRole('button', { name: 'Leave out the scene at 8 seconds' }).click()
  await expect(titleAt(other, '8 seconds')).toBeHidden()
  await titleAt(other, '16 seconds').fill('Put the new one in')
  await titleAt(other, '16 seconds').press('Enter')
  await expect(page.getByText('Put the new one in')).toBeVisible()
  await other.getByRole('button', { name: 'Open the training' }).click()
  await expect(stepsOf(other)).toHaveCount(2)
  await expect(other.getByText(/no name/)).toBeHidden()
})

test('a page that was closed on the way finds the scenes later', async ({ page }) => {
  await page.route(/\/api\/steps\/[\w-]+\/proposals/, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: {} }) : route.continue(),
  )
  await page.route(/\/images\/poster/, (route) => route.fulfill({ json: { success: true } }))
  await send(page, makeSilent({ hasAudio: false }), { hasAudio: false })
  await expect(page.getByRole('heading', { name: 'Processing Failed' })).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page, 'a silent video without scenes')
  await expectReflow(page, 'a silent video without scenes')
  await page.unroute(/\/api\/steps\/[\w-]+\/proposals/)
  await page.getByRole('button', { name: 'Find the scenes' }).click()
  await untilNaming(page)
})
