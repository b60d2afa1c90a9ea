import { expect, test } from '@playwright/test'
import { SEEDED_ADMIN, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signUpWith } from './own-modules.ts'
import { createAccount, signInByCall } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { seedModules } from './seed-modules.ts'
import { untilTriesEnd } from './until-tries-end.ts'

const HOUR = 60 * 60_000

test('the debug page shows what is stuck or failed and why, and retries it', {
  tag: ['@spec-1.10', '@spec-2.10'],
}, async ({ page }) => {
  await signUpWith(page, [
    { title: 'Runs at the moment', status: 'PROCESSING', progress: 42, message: 'Listening', updatedAt: Date.now() },
    { title: 'Stands still', status: 'PROCESSING', progress: 60, message: 'Writing', updatedAt: Date.now() - HOUR },
    { title: 'Broke off', status: 'FAILED', progress: 50, lastError: 'The narration could not be understood.' },
  ])
  await page.goto('/debug')
  await expect(page.getByRole('heading', { level: 1, name: 'Debug Dashboard' })).toBeVisible()
  const rows = page.getByRole('region', { name: 'Your modules' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  // Before anything else: the next sweep resumes it, and finds that its video is not there.
  const standing = rows.filter({ hasText: 'Stands still' })
  await expect(standing).toContainText(/Stuck|is gone from storage/)
  if ((await standing.textContent())?.includes('Stuck') === true) {
    await page.getByRole('button', { name: 'Stuck', exact: true }).click()
    // The sweep may have come in the meantime; the other two are in neither case.
    await expect(rows.or(page.getByRole('heading', { name: 'Nothing to see here' }))).toHaveCount(1)
    await expect(rows.filter({ hasNotText: 'Stands still' })).toHaveCount(0)
    await page.getByRole('button', { name: 'All', exact: true }).click()
  }
  const broken = rows.filter({ hasText: 'Broke off' })
  await expect(broken).toContainText('The narration could not be understood.')
  await expect(broken).toContainText('Needs attention')
  await expect(rows.filter({ hasText: 'Runs at the moment' }).getByRole('button', { name: /Retry/ })).toHaveCount(0)
  const health = page.getByRole('region', { name: 'Health' })
  // Database, storage, queues with their sweep, rooms: all were asked. The first sweep may still be on its way.
  // The fifth are the models, which another journey may have asked.
  const well = health.getByText('ok', { exact: true })
  await expect.poll(() => well.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(4)
  await expect(health).toContainText('Uptime')
  await expect(page.getByRole('region', { name: 'AI use, last 30 days' })).toContainText('No model has been asked')
  await expectAccessible(page, 'debug page')
  await expectReflow(page, 'debug page')

  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await expect(broken).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Runs at the moment' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Orphaned', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Nothing to see here' })).toBeVisible()
  await page.getByRole('button', { name: 'All', exact: true }).click()

  await broken.getByRole('button', { name: /^Copy ?: id of Broke off$/ }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await broken.getByRole('code').textContent())
  await broken.getByRole('button', { name: 'Timeline of Broke off' }).click()
  await expect(broken.getByText('Nothing has been done for it yet.')).toBeVisible()
  await page.route('**/api/reprocess/*', (route) => route.fulfill({ status: 503, json: { error: 'Queues are away.' } }))
  await broken.getByRole('button', { name: 'Retry Broke off' }).click()
  await expect(page.getByText('Failed to retry module')).toBeVisible()
  await page.unrouteAll()
  await broken.getByRole('button', { name: 'Retry Broke off' }).click()
  await expect(page.getByText('Retry initiated! Check back in a few minutes.')).toBeVisible()
  await expect(broken.getByText('Run 1 · Processed again')).toBeVisible()
  await expectAccessible(page, 'a timeline')

  await page.route('**/api/debug/modules/debug*', (route) => route.fulfill({ status: 500, json: { error: 'No.' } }))
  await page.clock.install()
  await page.reload()
  await untilTriesEnd(page, page.getByRole('heading', { name: 'Failed to fetch modules' }))
})

test('an operator gets the stuck module of another person going again', async ({ page, browser, baseURL }) => {
  const trainer = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  const { userId, origin } = await createAccount(trainer.request)
  const title = `Stands still ${crypto.randomUUID()}`
  await signInByCall(page.request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
  await page.goto('/debug')
  const rows = page.getByRole('region', { name: 'All modules' }).getByRole('listitem')
  await expect(rows.or(page.getByRole('heading', { name: 'There are no modules yet' })).first()).toBeVisible()
  // Newest of all, so that it is on the list; the next sweep resumes it, and finds that its video is not there.
  await expect(async () => {
    const [id = ''] = await seedModules(origin, userId, [
      {
        title,
        status: 'PROCESSING',
        progress: 60,
        message: 'Writing',
        createdAt: Date.now(),
        updatedAt: Date.now() - HOUR,
      },
    ])
    await page.reload()
    const row = rows.filter({ hasText: id })
    await expect(row).toContainText('Stuck', { timeout: 5_000 })
    await row.getByRole('button', { name: `Retry ${title}` }).click({ timeout: 5_000 })
    await expect(page.getByText('Retry initiated! Check back in a few minutes.')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })

  await test.step('while its trainer sees no module of others', async () => {
    await trainer.goto('/debug')
    await expect(trainer.getByRole('region', { name: 'Your modules' }).getByText(title).first()).toBeVisible()
    await expect(trainer.getByRole('region', { name: 'All modules' })).toBeHidden()
    await trainer.context().close()
  })
})
