import { expect, test } from '@playwright/test'
import { signUpAsOwner } from './own-modules.ts'
import { tokenByCall } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'

const PASSWORD = 'Werkbank 7'

test('a link asks for its password on a phone, is replaced, and ends', async ({ page, browser, baseURL }) => {
  const [id = ''] = await signUpAsOwner(page, [{ title: 'Change the filter' }])
  await page.goto(`/training/${id}`)
  await page.getByRole('button', { name: 'Share: Change the filter' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share this training' })
  await dialog.getByRole('button', { name: 'Password, end date, new link' }).press('Enter')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Set password' }).press('Enter')
  await expect(dialog.getByText('Anyone with this link and its password can watch.')).toBeVisible()
  await expectAccessible(page, 'settings of a link')

  const phone = await browser.newContext({ baseURL: baseURL ?? '', viewport: { width: 360, height: 640 } })
  const learner = await phone.newPage()
  await learner.goto(`/share/${id}`)
  await expectReflow(learner, 'password of a link')
  await expectAccessible(learner, 'password of a link')
  const field = learner.getByLabel('Password')
  await field.fill('Werkbank 6')
  await field.press('Enter')
  await expect(learner.getByText('This is not the password.')).toBeVisible()
  await field.fill(PASSWORD)
  await field.press('Enter')
  await expect(learner.getByRole('heading', { level: 1, name: 'Change the filter' })).toBeVisible()

  await dialog.getByRole('radio', { name: 'leads to the new one' }).press('Space')
  await dialog.getByRole('button', { name: 'Make a new link' }).press('Enter')
  await expect(page.getByText('The training has a new link')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove password' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Set password' })).toBeVisible()
  await learner.goto(`/share/${id}`)
  await expect(learner.getByRole('heading', { level: 1, name: 'Change the filter' })).toBeVisible()
  expect(learner.url()).not.toContain(id)

  await dialog.getByLabel('Last day of the link').fill('2199-12-24')
  await expect(dialog.getByRole('button', { name: 'Remove end date' })).toBeVisible()
  const headers = { authorization: `Bearer ${await tokenByCall(page.request)}` }
  const data = { linkEndsAt: '2020-01-31T00:00:00.000Z' }
  expect((await page.request.patch(`/api/modules/${id}`, { headers, data })).status()).toBe(200)
  await learner.reload()
  await expect(learner.getByText('This link has ended')).toBeVisible()
  await phone.close()
})
