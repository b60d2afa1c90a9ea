import { expect, test } from '@playwright/test'
import { axeFindings } from './axe.ts'
import { holdPartsBut, makeLargeVideo, untilRecorded } from './large-upload.ts'
import { signUp } from './people.ts'
import { moduleIdOf, stepsOf } from './training.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no screen of the journey has an accessibility fault (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect.soft(await axeFindings(page), 'landing').toEqual([])
    await signUp(page)
    await expect(page.getByRole('button', { name: 'Try it with a sample' })).toBeVisible()
    expect.soft(await axeFindings(page), 'empty dashboard').toEqual([])
    await page.getByRole('button', { name: 'Try it with a sample' }).click()
    await expect(stepsOf(page).first()).toBeVisible({ timeout: 60_000 })
    expect.soft(await axeFindings(page), 'training').toEqual([])
    const id = moduleIdOf(page)
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: 'Start Training' })).toBeVisible()
    expect.soft(await axeFindings(page), 'dashboard').toEqual([])
    await page.goto('/upload')
    await expect(page.getByLabel('Select video')).toBeAttached()
    expect.soft(await axeFindings(page), 'upload').toEqual([])
    await page.goto(`/share/${id}`)
    await expect(stepsOf(page).first()).toBeVisible()
    expect.soft(await axeFindings(page), 'share').toEqual([])
    await page.goto('/share/nothing-here')
    await expect(page.getByText('Module Not Found')).toBeVisible()
    expect.soft(await axeFindings(page), 'share not found').toEqual([])
  })
}

test('no state of a large upload has an accessibility fault', async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await signUp(page)
  await page.goto('/upload')
  const { release } = await holdPartsBut(page, [1])
  await page.getByLabel('Select video').setInputFiles(makeLargeVideo('large.mp4', 1))
  await untilRecorded(page, 1)
  await expect(page.getByText(/MB of 36 MB/)).toBeVisible()
  expect.soft(await axeFindings(page), 'uploading').toEqual([])
  await page.getByRole('button', { name: 'Pause' }).click()
  expect.soft(await axeFindings(page), 'paused').toEqual([])
  await page.getByRole('link', { name: 'Open the module of large.mp4' }).click()
  await expect(page.getByText(/% uploaded/)).toBeVisible()
  expect.soft(await axeFindings(page), 'module that is uploaded').toEqual([])
  await page.goto('/upload')
  await expect(page.getByText(/Your upload of large.mp4 stopped/)).toBeVisible()
  expect.soft(await axeFindings(page), 'unfinished').toEqual([])
  await page.getByRole('button', { name: 'Discard' }).click()
  expect.soft(await axeFindings(page), 'discard').toEqual([])
  await release()
})
