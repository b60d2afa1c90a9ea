import { type Browser, expect, type Page, test } from '@playwright/test'
import { SEEDED_ADMIN, SEEDED_MEMBER, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { FIXTURES } from './media.ts'
import { signUpWith } from './own-modules.ts'
import { createAccount, openOrganizations, signInByCall, tokenOf, workIn } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql, seedModules } from './seed-modules.ts'
import { moduleIdOf, openSection, stepsOf, untilReady, upload } from './training.ts'

const TEAM = SEEDED_ORGANIZATION.name
const NOT_FOUND = 'This training module could not be found or is no longer available.'
const HINT = /choose that one under Organizations in the account menu/

async function open(browser: Browser, baseURL: string | undefined, account?: { email: string }): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' })).newPage()
  if (account) {
    await signInByCall(page.request, { email: account.email, password: SEEDED_PASSWORD })
    await page.goto('/dashboard')
  }
  return page
}

const active = (page: Page) => page.getByRole('button', { name: /^Organization: / })
const cardOf = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.locator(`a[href="/training/${id}"]`) })

async function remove(page: Page, id: string): Promise<number> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  return (await page.request.delete(`/api/modules/${id}`, { headers })).status()
}

test('members of an organization share its modules, and read what only its admins may do', {
  tag: '@spec-6.6',
}, async ({ browser, baseURL }) => {
  const admin = await open(browser, baseURL, SEEDED_ADMIN)
  await workIn(admin, TEAM)
  await expect(active(admin)).toHaveAccessibleName(`Organization: ${TEAM}`)
  await upload(admin, `${FIXTURES}/tiny.mp4`, `${FIXTURES}/tiny.vtt`)
  const id = moduleIdOf(admin)
  await untilReady(admin)
  const owners = 'SELECT org_id, user_id FROM modules WHERE id = ?1'
  const origin = new URL(admin.url()).origin
  expect(await runSql(origin, owners, [id])).toEqual([[SEEDED_ORGANIZATION.id, SEEDED_ADMIN.id]])

  await admin.goto('/dashboard')
  await cardOf(admin, id)
    .getByRole('button', { name: /^Share: / })
    .click()
  const share = admin.getByRole('dialog', { name: 'Share this training' })
  await share.getByRole('switch', { name: 'Anyone with the link can view' }).click()
  await expect(share).toContainText('Only you and people of your organization can open it.')
  await admin.keyboard.press('Escape')

  const member = await open(browser, baseURL, SEEDED_MEMBER)
  await member.goto(`/training/${id}`)
  await expect(member.getByText(NOT_FOUND)).toBeVisible()
  await expect(member.getByText(HINT)).toBeVisible()
  await expectAccessible(member, 'a module of an organization that is not active')
  await workIn(member, TEAM)
  await cardOf(member, id)
    .getByRole('link', { name: /^Start Training/ })
    .click()
  await expect(stepsOf(member).first()).toBeVisible()
  await openSection(member, 'Settings')
  await expect(member.getByText('Sharing is off: only you and people of your organization can open')).toBeVisible()

  await member.goto('/dashboard')
  await expect(cardOf(member, id).getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await cardOf(member, id)
    .getByRole('button', { name: /^More: / })
    .click()
  await member.getByRole('menuitem', { name: 'Delete' }).click()
  const reason = member.getByRole('dialog', { name: 'You cannot delete this module' })
  await expect(reason).toContainText('Only the person who uploaded it, and admins of your organization, can delete it.')
  await expectAccessible(member, 'why a member cannot delete')
  await member.keyboard.press('Escape')
  expect(await remove(member, id)).toBe(404)
  await workIn(member, 'Personal account')
  await expect(active(member)).toBeHidden()
  await expect(member.getByText('Try it with a sample').first()).toBeVisible()
  await expect(cardOf(member, id)).toHaveCount(0)

  expect(await remove(admin, id)).toBe(200)
  await Promise.all([admin, member].map((page) => page.context().close()))
})

test('a person creates an organization, invites a colleague who joins, and comes back to their own modules', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signUpWith(page, [{ title: 'My own module' }])
  const colleague = await open(browser, baseURL)
  const { email } = await createAccount(colleague.request)
  await expect(page.getByRole('heading', { name: 'My own module' })).toBeVisible()

  const dialog = await openOrganizations(page)
  await expectAccessible(page, 'organizations of a person without one')
  await expectReflow(page, 'organizations of a person without one')
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Line 4')
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await dialog.getByRole('textbox', { name: /Example format/ }).fill(`${email},`)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await dialog.getByRole('button', { name: 'Finish' }).click()
  await expect(dialog).toBeHidden()
  await expect(active(page)).toHaveAccessibleName('Organization: Line 4')
  await expect(page.getByRole('button', { name: 'Try it with a sample' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My own module' })).toHaveCount(0)

  await colleague.goto('/dashboard')
  const theirs = await openOrganizations(colleague)
  await theirs.getByRole('button', { name: 'Join' }).click()
  await theirs.getByRole('button', { name: 'Line 4' }).click()
  await expect(active(colleague)).toHaveAccessibleName('Organization: Line 4')

  await openOrganizations(page)
  await dialog.getByRole('button', { name: 'Members and settings' }).click()
  const profile = page.locator('.cl-organizationProfile-root, .cl-modalContent').first()
  await page.getByRole('button', { name: 'Members' }).click()
  await expect(profile.getByText(email).first()).toBeVisible()
  await page.keyboard.press('Escape')

  await workIn(page, 'Personal account')
  await expect(page.getByRole('heading', { name: 'My own module' })).toBeVisible()
  await expect(active(page)).toBeHidden()
  await colleague.context().close()
})

test('a person without an organization reads of none on any page', async ({ page }) => {
  const { userId, origin } = await createAccount(page.request)
  const [id = ''] = await seedModules(origin, userId, [{ title: 'Alone' }])
  const open = [`/training/${id}`, `/training/${id}/settings`, '/upload', '/debug', '/dashboard']
  for (const path of open) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(/organization/i)
  }
  await page.getByRole('button', { name: 'Share: Alone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this training' })
  await expect(dialog).not.toContainText(/organization/i)
  await dialog.getByRole('switch', { name: 'Anyone with the link can view' }).click()
  await expect(dialog).toContainText('Only you can open it. For everybody else the link stops working within a minute.')
  await expect(dialog).not.toContainText(/organization/i)
  await page.goto(`/training/${id}/settings`)
  await expect(page.getByText('Sharing is off: only you can open this training.')).toBeVisible()
  await page.goto('/training/xxxxxxxxxxxxxxxxxxxxxx')
  await expect(page.getByText(NOT_FOUND)).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/organization/i)
})

test('the profile of the account has the width that its two columns need', async ({ page }) => {
  await signUpWith(page, [])
  await page.getByRole('button', { name: 'Open user menu' }).click()
  await page.getByRole('button', { name: 'Manage account' }).click()
  const card = page.locator('.cl-userProfile-root .cl-cardBox, .cl-modalContent .cl-cardBox').first()
  await expect(card).toBeVisible()
  await expect.poll(async () => (await card.boundingBox())?.width ?? 0).toBeGreaterThan(700)
})
