import { expect, type Page, test } from '@playwright/test'
import { apiOf, signUp, tokenOf } from './people.ts'
import { moduleIdOf, stepsOf, untilReady } from './training.ts'

const OFFLINE = 'You are offline. This page updates again as soon as the connection is back.'
/** Specification §9, and a little more. */
const DEDUPE_MS = 2_200
const TITLE = 'Change the roll in a label printer'

async function listModules(page: Page): Promise<{ id: string }[]> {
  const { modules } = (await apiOf(page, '/api/modules')) as { modules: { id: string }[] }
  return modules
}

test('double clicks do nothing twice, and every screen outlives a lost connection', { tag: '@fault-46' }, async ({
  page,
  request,
}) => {
  await signUp(page)
  await page.getByRole('button', { name: 'Try it with a sample' }).dblclick()
  await expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
  const id = moduleIdOf(page)
  expect(await listModules(page)).toHaveLength(1)

  for (const path of [`/training/${id}`, `/share/${id}`, '/upload', '/dashboard']) {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText(OFFLINE)).toBeVisible()
    await expect(heading).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByText(OFFLINE)).toBeHidden()
    await expect(heading).toBeVisible()
  }

  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE)).toBeVisible()
  const renamed = await request.patch(`/api/modules/${id}`, { headers, data: { title: 'Renamed meanwhile' } })
  expect(renamed.status()).toBe(200)
  // What is younger than two seconds is not asked for again.
  await page.waitForTimeout(DEDUPE_MS)
  await page.context().setOffline(false)
  await expect(page.getByRole('link', { name: 'Renamed meanwhile', exact: true })).toBeVisible()
})

test('a page that one comes back to with the browser’s own button works', { tag: '@fault-46' }, async ({ page }) => {
  await signUp(page)
  await page.getByRole('button', { name: 'Try it with a sample' }).click()
  await expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
  const address = page.url().replace(/\?.*/, '')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: TITLE, exact: true })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(address))
  await stepsOf(page).nth(1).getByRole('button').first().click()
  await expect(page.locator('video')).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
})
