import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectReflow } from './screen.ts'
import { untilTriesEnd } from './until-tries-end.ts'

const CLERK = /\/__clerk\//

/** Keeps the sign-in service silent until it is let go. */
async function holdClerk(page: Page) {
  const waiting: (() => void)[] = []
  let isHeld = true
  await page.route(CLERK, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  })
  return () => {
    isHeld = false
    for (const letGo of waiting) letGo()
  }
}

/** A spinner and a word that fill the page below the bar. */
async function expectLoading(page: Page) {
  const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })
  await expect(loading).toContainText('Loading')
  const height = async () => (await loading.boundingBox())?.height
  await expect.poll(height).toBeGreaterThan((page.viewportSize()?.height ?? 0) * 0.6)
}

test('sign-in says Welcome Back, sign-up says Get Started', { tag: ['@spec-2.4', '@spec-6.1'] }, async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  await expect(page).toHaveTitle('Welcome Back · Adapt')
  await expectAccessible(page, 'sign-in')
  await expectReflow(page, 'sign-in')
  await page.goto('/sign-up')
  await expect(page.getByRole('heading', { level: 1, name: 'Get Started' })).toBeVisible()
  await expect(page).toHaveTitle('Get Started · Adapt')
  await expectAccessible(page, 'sign-up')
  await expectReflow(page, 'sign-up')
})

test('a protected page shows Loading until it is known who is here, then leads to sign-in instead of itself', {
  tag: ['@spec-2.13', '@spec-4.16', '@spec-9.17'],
}, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
  const letGo = await holdClerk(page)
  // The page has not loaded as long as its early script is held.
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expectLoading(page)
  await expect(page.getByText('Still loading. Your connection may be slow.')).toBeVisible()
  await expectAccessible(page, 'loading')
  letGo()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await page.goBack()
  // Had the address been added instead of replaced, this would be /dashboard, and lead to /sign-in again.
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('the upload page shows Loading, then asks a stranger to sign in', { tag: '@spec-2.19' }, async ({ page }) => {
  const letGo = await holdClerk(page)
  await page.goto('/upload', { waitUntil: 'commit' })
  await expectLoading(page)
  letGo()
  await expect(page.getByRole('heading', { name: 'Sign In to Upload' })).toBeVisible()
  await expect(page).toHaveTitle('Upload · Adapt')
  await expectAccessible(page, 'upload of a stranger')
  await expectReflow(page, 'upload of a stranger')
})

test('the way back from another sign-in service shows Loading', { tag: '@spec-2.8' }, async ({ page }) => {
  const letGo = await holdClerk(page)
  await page.goto('/sso-callback')
  await expectLoading(page)
  await expect(page).toHaveTitle('Signing in · Adapt')
  await expectAccessible(page, 'sso-callback')
  letGo()
})

test('the spinner has a page of its own', { tag: '@spec-2.12' }, async ({ page }) => {
  await page.goto('/test-spinner')
  await expectLoading(page)
  await expect(page).toHaveTitle('Spinner test · Adapt')
  await expectAccessible(page, 'test-spinner')
})

test('a sign-in service that cannot be reached is reported, with a way to retry', async ({ page }) => {
  await page.clock.install()
  await page.route(CLERK, (route) => route.abort())
  await page.goto('/dashboard')
  // Clerk's script retries for a while before it gives up.
  await untilTriesEnd(page, page.getByRole('heading', { name: 'Sign-in is not available' }))
  await expect(page.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
  await expectAccessible(page, 'sign-in not available')
})
