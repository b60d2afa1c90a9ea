import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { axeFindings } from './axe.ts'
import { signUpWith } from './own-modules.ts'
import { apiOf } from './people.ts'

test('a person exports their data and erases the account', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signUpWith(page, [{ title: 'Label printer' }])
  await page.getByRole('button', { name: 'Open user menu' }).click()
  await page.getByRole('button', { name: 'Your data' }).click()
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const data = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(data).toMatchObject({ modules: [{ title: 'Label printer' }], isComplete: true })

  await page.getByRole('button', { name: 'Erase my data…' }).click()
  const question = page.getByRole('dialog', { name: 'Erase all your data?' })
  const word = question.getByRole('textbox')
  await word.fill('no')
  await word.press('Enter')
  await expect(word).toHaveAttribute('aria-invalid', 'true')
  expect(await axeFindings(page)).toEqual([])
  await word.fill('erase')
  await word.press('Enter')
  await expect(page.getByText('It can no longer be opened.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  expect(await apiOf(page, '/api/modules')).toEqual({ success: true, modules: [] })
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})

test('pages work with the session token where Clerk has no template of tokens', async ({ page }) => {
  const refused = { status: 404, json: { errors: [{ code: 'resource_not_found', message: 'not found' }] } }
  let asked = 0
  await page.route('**/tokens/api?*', (route) => {
    asked += 1
    return route.fulfill(refused)
  })
  await signUpWith(page, [{ title: 'Label printer' }])
  await expect(page.getByRole('heading', { name: 'Label printer' })).toBeVisible()
  expect(asked).toBeGreaterThan(0)
})
