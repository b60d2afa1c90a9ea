import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { FIXTURES } from './media.ts'
import { apiOf, signUp } from './people.ts'
import { tabTo } from './tab-to.ts'
import { moduleIdOf, stepsOf, untilReady, videoTimeOf } from './training.ts'

test('from upload over editing to share without a mouse', async ({ page }) => {
  // A test cannot answer the dialog that keeps a way back to the file; every browser has the other one.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  await signUp(page)
  const bar = page.getByRole('navigation', { name: 'Main' })

  await test.step('to the upload page', async () => {
    await tabTo(page, bar.getByRole('link', { name: 'Upload' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Upload a training video' })).toBeFocused()
  })
  await test.step('picks a video and its captions', async () => {
    const dialog = page.waitForEvent('filechooser')
    await tabTo(page, page.getByLabel('Select video'))
    await page.keyboard.press('Enter')
    await (await dialog).setFiles([join(FIXTURES, 'tiny.mp4'), join(FIXTURES, 'tiny.vtt')])
    await page.waitForURL(/\/training\//, { timeout: 60_000 })
    await untilReady(page)
    await expect(page.locator('video')).toBeAttached()
  })
  await test.step('jumps to a step', async () => {
    const step = stepsOf(page).last().getByRole('button').first()
    await tabTo(page, step)
    await page.keyboard.press('Enter')
    await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(0)
  })
  await test.step('edits the step', async () => {
    await tabTo(page, page.getByRole('button', { name: /^Edit step/ }).last())
    await page.keyboard.press('Enter')
    const title = page.getByRole('form', { name: /^Edit step/ }).getByRole('textbox', { name: 'Title', exact: true })
    await expect(title).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Typed by hand')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Edit step/ }).last()).toBeFocused()
    await expect(stepsOf(page).last()).toContainText('Typed by hand')
    const saved = async () => ModuleAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}`)).module.steps
    await expect.poll(async () => (await saved()).at(-1)?.title).toBe('Typed by hand')
  })
  await test.step('copies the link', async () => {
    const sections = page.getByRole('navigation', { name: 'Sections of this training' })
    await tabTo(page, sections.getByRole('link', { name: 'Settings' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Copy', exact: true }).last())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Copied!')).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(new RegExp(`/share/${moduleIdOf(page)}$`))
    await page.goto(link)
    await expect(stepsOf(page).last()).toContainText('Typed by hand')
  })
})
