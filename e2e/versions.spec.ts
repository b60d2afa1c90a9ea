import { expect, type Page, test } from '@playwright/test'
import { copyModule } from './copy-module.ts'
import { signUpAsOwner } from './own-modules.ts'
import { tokenByCall } from './people.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql } from './seed-modules.ts'

const TITLE = 'Change the filter of a pump that has a long name'
const LID = { id: 'a', title: 'Open the lid', description: 'Turn the screw to the left.', start: 0, end: 20 }
const FILTER = { id: 'b', title: 'Take the filter out', description: 'Pull it straight up.', start: 20, end: 40 }

async function saveSteps(page: Page, id: string, steps: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenByCall(page.request)}` }
  const saved = await page.request.post(`/api/steps/${id}`, { headers, data: { steps } })
  expect(saved.status()).toBe(200)
}

test('learners see an edit once its trainer has published it', async ({ page, browser, baseURL }) => {
  const [id = ''] = await signUpAsOwner(page, [{ title: TITLE }])
  await saveSteps(page, id, [LID, FILTER])
  await page.goto(`/training/${id}`)
  await page.getByRole('button', { name: 'More for this module' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Published versions' }).press('Enter')
  await page.getByRole('switch', { name: 'Publish versions' }).press('Space')
  await expect(page.getByText('Learners see version 1.')).toBeVisible()
  const changed = [{ ...LID, title: 'Open the hood' }, FILTER, { ...FILTER, id: 'c', title: 'Clean it' }]
  await saveSteps(page, id, changed)

  const stranger = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await stranger.goto(`/share/${id}`)
  await expect(stranger.getByRole('button', { name: /Open the lid/ })).toBeVisible()
  await expect(stranger.getByText('Clean it')).toHaveCount(0)

  await page.getByRole('button', { name: 'Publish the draft…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publish a version' })
  await expect(dialog.getByText('Added')).toBeVisible()
  await expect(dialog.locator('ins')).toHaveText('hood')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectReflow(page, 'publish a version')
  await expectAccessible(page, 'publish a version')
  await dialog.getByRole('textbox', { name: 'What is new (optional)' }).fill('The new pump has a hood.')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
  await expect(page.getByText('Learners see version 2.')).toBeVisible()
  await expect(page.getByText('The new pump has a hood.')).toBeVisible()
  await expectReflow(page, 'versions')
  await expectAccessible(page, 'versions')

  await stranger.reload()
  await expect(stranger.getByRole('button', { name: /Open the hood/ })).toBeVisible()
  await expect(stranger.getByText('Clean it')).toBeVisible()
  await stranger.context().close()
})

test('a new recording gives its video to a training once its trainer has looked at it', async ({ page, baseURL }) => {
  const origin = baseURL ?? ''
  const id = await makeSample(page)
  const [[userId = ''] = []] = await runSql(origin, 'SELECT user_id FROM modules WHERE id = ?1', [id])
  const recordingId = await copyModule(origin, userId, id)
  await runSql(origin, 'UPDATE modules SET replaces_id = ?1 WHERE id = ?2', [id, recordingId])
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/training/${id}/recording`)
  // The same is said in both.
  await expect(page.getByText(/^Steps found: (\d+) of \1$/)).toBeVisible()
  await expect(page.getByText('Not found', { exact: true })).toHaveCount(0)
  await expectReflow(page, 'a new recording')
  await expectAccessible(page, 'a new recording')
  await page.getByRole('button', { name: 'Take the new video' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take the new video' }).click()
  await expect(page).toHaveURL(`/training/${id}`)
  await expect(page.getByText('The video was replaced')).toBeVisible()
  await expect(page.locator('video')).toBeVisible()
  const [[sourceKey] = []] = await runSql(origin, 'SELECT source_key FROM modules WHERE id = ?1', [id])
  expect(sourceKey).toBe(`src/${recordingId}/copy`)
})
