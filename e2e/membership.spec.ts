import { expect, type Page, test } from '@playwright/test'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { FIXTURES } from './media.ts'
import { createAccount, fillSignIn, fillSignUp, openOrganizations, signUpInForm } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql } from './seed-modules.ts'
import { tabTo } from './tab-to.ts'
import { moduleIdOf, stepsOf, untilReady, upload } from './training.ts'
import { withMembershipRequired } from './with-system.ts'

/** It starts a system of its own. */
const WITHIN_MS = 400_000

const asked = (page: Page) => page.getByRole('heading', { name: 'This Adapt asks for an organization' })
const uploads = (page: Page) => page.getByRole('heading', { name: 'Upload a training video' })
const active = (page: Page) => page.getByRole('button', { name: /^Organization: / })

interface WithClerk {
  Clerk: { session: { getToken(): Promise<string> } }
}

/** What the API answers to the session's own token, which says that the session is pending. */
async function listWithSessionToken(page: Page) {
  const token = await page.evaluate(() => (window as unknown as WithClerk).Clerk.session.getToken())
  const answer = await page.request.get('/api/modules', { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status(), body: (await answer.json()) as { code?: string } }
}

test('where membership is required a person reads what to do, and goes on as soon as an organization is active', async ({
  browser,
}) => {
  test.setTimeout(WITHIN_MS)
  await withMembershipRequired(async (baseURL) => {
    const open = async () => (await browser.newContext({ baseURL, reducedMotion: 'reduce' })).newPage()
    const page = await open()
    let shared = ''
    await test.step('a new person creates an organization with the keyboard, and uploads into it', async () => {
      await page.goto('/sign-up?redirect_url=%2Fupload')
      await fillSignUp(page, /\/upload$/)
      await expect(asked(page)).toBeVisible()
      await expect(page).toHaveTitle('This Adapt asks for an organization · Adapt')
      await expect(page.getByRole('main')).toContainText('ask a colleague to invite you')
      await expect(page.getByRole('button', { name: 'Open user menu' })).toHaveCount(0)
      expect(await listWithSessionToken(page)).toMatchObject({ status: 403, body: { code: 'sign_in_incomplete' } })
      const name = page.getByLabel('Name', { exact: true })
      await expect(name).toBeFocused()
      await expectAccessible(page, 'an organization is asked for')
      await expectReflow(page, 'an organization is asked for')
      await page.reload()
      await tabTo(page, page.getByRole('button', { name: 'Sign out' }))
      await name.focus()
      await page.keyboard.type('Line 4')
      await page.keyboard.press('Enter')
      await expect(uploads(page)).toBeVisible()
      await expect(page).toHaveURL(/\/upload$/)
      await expect(page).toHaveTitle('Upload · Adapt')
      await expect(active(page)).toHaveAccessibleName('Organization: Line 4')
      expect(await listWithSessionToken(page)).toMatchObject({ status: 200 })
      await upload(page, `${FIXTURES}/tiny.mp4`, `${FIXTURES}/tiny.vtt`)
      shared = moduleIdOf(page)
      await untilReady(page)
      const owners = 'SELECT org_id IS NOT NULL FROM modules WHERE id = ?1'
      expect(await runSql(new URL(page.url()).origin, owners, [shared])).toEqual([[1]])
    })

    await test.step('no personal account is offered', async () => {
      const dialog = await openOrganizations(page)
      await expect(dialog).toContainText('You work in Line 4 now')
      await expect(dialog.getByRole('button', { name: 'Create organization' })).toBeVisible()
      await expect(dialog).not.toContainText(/personal/i)
    })

    await test.step('a member chooses theirs, after each page asked for it and none led in a circle', async () => {
      const member = await open()
      await member.goto('/collections?from=mail#list')
      await fillSignIn(member, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
      await expect(asked(member)).toBeVisible()
      await expect(member).toHaveURL(/\/collections\?from=mail#list$/)
      await expect(member.getByRole('button', { name: SEEDED_ORGANIZATION.name })).toBeVisible()
      await expectAccessible(member, 'an organization is to be chosen')
      const visited: string[] = []
      member.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
      for (const path of ['/dashboard', '/upload', '/debug', '/account', '/sign-in', '/sign-up', '/sso-callback']) {
        await member.goto(path)
        await expect(asked(member), path).toBeVisible()
      }
      expect(visited.length, visited.join(' ')).toBeLessThanOrEqual(2 * 7 + 3)
      await member.goto('/collections?from=mail#list')
      await member.getByRole('button', { name: SEEDED_ORGANIZATION.name }).click()
      await expect(member.getByRole('heading', { level: 1, name: 'Collections' })).toBeVisible()
      await expect(member).toHaveURL(/\/collections\?from=mail#list$/)
      await member.context().close()
    })

    await test.step('a person who has none may leave, and a learner needs none', async () => {
      const stranger = await open()
      await createAccount(stranger.request)
      await stranger.goto('/dashboard')
      await stranger.getByRole('button', { name: 'Sign out' }).click()
      await expect(stranger).toHaveURL(/:\d+\/$/)
      await expect(stranger.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
      await stranger.goto(`/share/${shared}`)
      await expect(stepsOf(stranger).first()).toBeVisible()
      await expect(stranger.getByRole('main')).not.toContainText(/organization/i)
      await stranger.context().close()
    })
    await page.context().close()
  })
})

test('where membership is optional a new person works in their personal account at once', async ({ page }) => {
  await signUpInForm(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Training Dashboard' })).toBeVisible()
  expect(await listWithSessionToken(page)).toMatchObject({ status: 200 })
  const dialog = await openOrganizations(page)
  await expect(dialog).toContainText('You work in your personal account now')
  await expect(dialog.getByRole('button', { name: 'Personal account' })).toBeVisible()
  await page.keyboard.press('Escape')
  await upload(page, `${FIXTURES}/tiny.mp4`, `${FIXTURES}/tiny.vtt`)
  await untilReady(page)
})
