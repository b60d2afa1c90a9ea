import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { signUpAsOwner, signUpWith } from './own-modules.ts'
import { readCodes } from './read-codes.ts'
import { expectAccessible } from './screen.ts'

const MODULE = { title: 'Change the filter' }

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this training' })
const audience = (page: Page) => dialog(page).getByRole('switch', { name: 'Anyone with the link can view' })
const opener = (page: Page) => page.getByRole('button', { name: 'Share: Change the filter' })

async function openDialog(page: Page): Promise<string> {
  const [id = ''] = await signUpWith(page, [MODULE])
  await opener(page).click()
  await expect(dialog(page)).toBeVisible()
  return id
}

test('the dialog has the code, the link and the note that no login is required', { tag: '@spec-2.44' }, async ({
  page,
  baseURL,
}) => {
  const id = await openDialog(page)
  const code = dialog(page).getByRole('img', { name: 'QR code of the link' })
  await expect.poll(() => code.boundingBox()).toMatchObject({ width: 200, height: 200 })
  const link = dialog(page).getByRole('textbox', { name: 'Link', exact: true })
  await expect(link).toHaveValue(`${baseURL}/share/${id}`)
  await expect(link).toHaveAttribute('readonly')
  expect(await readCodes(await code.screenshot())).toEqual([`${baseURL}/share/${id}`])
  await expect(dialog(page)).toContainText('No login required.')
  await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog(page).getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/share/${id}`)
  await expect(dialog(page).getByRole('button', { name: 'Copied!' })).toBeHidden()
  await expect(dialog(page).getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
})

test('the embed code shows the training in a page of another site, in any width', async ({ page, browser }) => {
  await openDialog(page)
  await dialog(page)
    .getByRole('button', { name: /^Copy ?: Embed code$/ })
    .click()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  const html = `<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0">${code}`
  const other = await serveOnFreePort(() => new Response(html, { headers: { 'content-type': 'text/html' } }))
  const site = await (await browser.newContext()).newPage()
  await site.goto(other.origin)
  await expect(site.frameLocator('iframe').getByRole('heading', { level: 1, name: MODULE.title })).toBeVisible()
  for (const [width, height] of [
    [1000, 900],
    [320, 480],
  ] as const) {
    await site.setViewportSize({ width, height: 700 })
    await expect.poll(() => site.locator('iframe').boundingBox()).toMatchObject({ x: 0, width, height })
  }
  await site.context().close()
  await other.close()
})

test('the switch stops the link for strangers, and lets them in again', async ({ page, browser, baseURL }) => {
  const id = await openDialog(page)
  const stranger = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await stranger.goto(`/share/${id}`)
  await expect(stranger.getByRole('heading', { name: MODULE.title })).toBeVisible()
  const watching = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await watching.clock.install()
  await watching.goto(`/share/${id}`)
  await expect(watching.getByRole('heading', { name: MODULE.title })).toBeVisible()
  await audience(page).click()
  await expect(audience(page)).not.toBeChecked()
  await expect(dialog(page).getByText('Not working', { exact: true })).toBeVisible()
  await expect(dialog(page)).toContainText('The link and the code lead nowhere while sharing is off.')
  await expect
    .poll(async () => (await stranger.request.get(`/api/share/${id}`)).status(), { timeout: 60_000 })
    .toBe(404)
  await stranger.reload()
  await expect(stranger.getByText('Module Not Found')).toBeVisible()
  // A page that was open reads why, once its visitor comes back to it.
  await watching.clock.fastForward('01:05')
  await watching.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(watching.getByRole('heading', { name: 'Sharing has ended' })).toBeVisible()
  await expect(watching.getByText('Video Unavailable')).toBeHidden()
  await watching.context().close()
  await audience(page).click()
  await expect(dialog(page).getByText('Not working', { exact: true })).toBeHidden()
  await expect.poll(async () => (await stranger.request.get(`/api/share/${id}`)).status()).toBe(200)
  await stranger.context().close()
})

test('a change that the server refuses is taken back', async ({ page }) => {
  await openDialog(page)
  await page.route('**/api/modules/*', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await audience(page).click()
  await expect(page.getByText('Failed to change sharing')).toBeVisible()
  await expect(audience(page)).toBeChecked()
})

test('the code can be downloaded as pixels and as vectors', async ({ page }) => {
  await openDialog(page)
  for (const [kind, start] of [
    ['PNG', '\u0089PNG'],
    ['SVG', '<svg'],
  ] as const) {
    const download = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: kind }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`change-the-filter-qr.${kind.toLowerCase()}`)
    expect(readFileSync(await file.path(), 'latin1').slice(0, 4)).toBe(start)
  }
})

test('the keyboard goes through the dialog and comes back to where it was opened', async ({ page }) => {
  await signUpWith(page, [MODULE])
  await opener(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).locator(':focus')).toBeVisible()
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(opener(page)).toBeFocused()
})

test('the dialog is on the training page too, and works without a connection', async ({ page }) => {
  const [id = ''] = await signUpAsOwner(page, [MODULE])
  await page.goto(`/training/${id}/settings`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(MODULE.title)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await expect(share).toBeVisible()
  // A part of the page that is not there yet could not be loaded any more.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await share.click()
  await expect(dialog(page).getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog(page).getByRole('button', { name: 'Copied!' })).toBeVisible()
  await page.context().setOffline(false)
})

test('the dialog has no accessibility fault and fits a small screen', async ({ page }) => {
  await openDialog(page)
  await expectAccessible(page, 'on')
  await audience(page).click()
  await expectAccessible(page, 'off')
  await page.setViewportSize({ width: 320, height: 480 })
  const edges = async () => {
    const box = await dialog(page).boundingBox()
    return (box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 320
  }
  await expect.poll(edges).toBe(true)
  await audience(page).scrollIntoViewIfNeeded()
  await expect(audience(page)).toBeInViewport()
})
