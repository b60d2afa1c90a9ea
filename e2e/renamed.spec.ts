import { expect, type Page, test } from '@playwright/test'
import { signUpWith } from './own-modules.ts'
import { openSample } from './sample-module.ts'
import { runSql } from './seed-modules.ts'

const INSERT_FEEDBACK = `INSERT INTO feedback (id, module_id, user_id, type, action, user_message, created_at)
  VALUES ('feedback-' || ?1, ?1, 'user_learner', 'step_generation', 'worked', NULL, 1000)`

/** What the page still calls by a name: texts, names for screen readers, tooltips and the title of the tab. */
function findMentions(page: Page, name: string): Promise<string[]> {
  return page.evaluate((old) => {
    const attributes = ['aria-label', 'title', 'alt', 'aria-description', 'placeholder', 'value', 'download']
    const named = [...document.querySelectorAll('*')].flatMap((element) =>
      attributes.flatMap((attribute) => {
        const value = element.getAttribute(attribute) ?? ''
        return value.includes(old) ? [`${element.tagName} ${attribute}="${value}"`] : []
      }),
    )
    const lines = document.body.innerText.split('\n').filter((line) => line.includes(old))
    return [...named, ...lines, ...(document.title.includes(old) ? [document.title] : [])]
  }, name)
}

test('a module that is renamed in its card is called by its new title everywhere on the dashboard', async ({
  page,
}) => {
  const [id = ''] = await signUpWith(page, [{ title: 'Old pump' }, { title: 'Another', status: 'PROCESSING' }])
  await runSql(new URL(page.url()).origin, INSERT_FEEDBACK, [id])
  await page.reload()
  await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('link', { name: 'Old pump' })).toBeVisible()
  await page.getByRole('button', { name: 'More: Old pump' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.keyboard.type('New pump')
  await page.keyboard.press('Enter')

  for (const name of ['More: New pump', 'Share: New pump', 'Delete New pump'])
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  for (const name of ['Start Training: New pump', 'Edit: New pump'])
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'New pump' })).toHaveAttribute('title', 'New pump')
  await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('link', { name: 'New pump' })).toBeVisible()
  await expect.poll(() => findMentions(page, 'Old pump')).toEqual([])

  await page.getByRole('button', { name: 'Delete New pump' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('“New pump” goes with its video')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share: New pump' }).click()
  const share = page.getByRole('dialog', { name: 'Share this training' })
  await expect(share).toHaveAccessibleDescription('New pump')
  await expect(share.getByRole('textbox', { name: 'Embed code' })).toHaveValue(/title="New pump"/)
  expect(await findMentions(page, 'Old pump')).toEqual([])
})

test('a module that is renamed on its page is called by its new title there, and on the pages that one goes to', async ({
  page,
}) => {
  const id = await openSample(page)
  const before = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  expect(await page.title()).toBe(`${before} · Adapt`)
  await page.getByRole('button', { name: 'Rename this module' }).click()
  await page.keyboard.type('New pump')
  await page.keyboard.press('Enter')

  await expect(page).toHaveTitle('New pump · Adapt')
  await expect(page.getByRole('heading', { level: 1, name: 'New pump', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share: New pump', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Video player: New pump' })).toBeVisible()
  await expect(page.locator('video')).toHaveAccessibleName('New pump')
  await expect.poll(() => findMentions(page, before)).toEqual([])
  await page.getByRole('button', { name: 'Share: New pump', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Share this training' })).toHaveAccessibleDescription('New pump')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Edit all steps' }).click()
  await expect(page).toHaveURL(`/edit-steps/${id}`)
  await expect(page).toHaveTitle('Edit steps: New pump · Adapt')
  expect(await findMentions(page, before)).toEqual([])
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByRole('button', { name: 'Share: New pump', exact: true })).toBeVisible()
  await expect.poll(() => findMentions(page, before)).toEqual([])
})
