import { expect, test } from '@playwright/test'
import { breakLanding, LANDING_CODE, replaceKey } from './planted-failures.ts'
import { expectAccessible, expectReflow } from './screen.ts'

test('a page that cannot be drawn says so, and refreshing brings it back', {
  tag: ['@spec-2.30', '@spec-8.15'],
}, async ({ page }) => {
  await breakLanding(page, { name: 'TypeError', message: "Cannot read properties of undefined (reading 'map')" })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByText('Please refresh the page and try again.')).toBeVisible()
  await expect(page).toHaveTitle('Something went wrong · Adapt')
  await expectAccessible(page, 'application error')
  await expectReflow(page, 'application error')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
})

for (const [title, failure] of [
  ['Connection Problem', { name: 'TypeError', message: 'Failed to fetch dynamically imported module: /a.js' }],
  ['Request Timed Out', { name: 'TimeoutError', message: 'The operation timed out' }],
  ['Unexpected Response', { name: 'Error', message: 'Unexpected response (not JSON)' }],
  ['Sign-in Problem', { name: 'ClerkRuntimeError', message: 'No session' }],
  ['Configuration Error', { name: 'Error', message: '@clerk/react: Missing publishableKey' }],
] as const) {
  test(`the global error boundary shows ${title} for what it can name`, { tag: '@spec-2.32' }, async ({ page }) => {
    await breakLanding(page, failure)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    // They differ in their words alone.
    if (title === 'Connection Problem') await expectAccessible(page, title)
  })
}

test('the global error boundary offers three tries, a refresh and the way home', { tag: '@spec-2.33' }, async ({
  page,
}) => {
  await breakLanding(page, { name: 'TypeError', message: 'Failed to fetch' })
  await page.goto('/no-such-page')
  const tryAgain = page.getByRole('button', { name: 'Try Again' })
  for (const left of ['2 tries left', '1 try left', 'Trying again 3 times has not helped.']) {
    await tryAgain.click()
    await expect(page.getByText(left)).toBeVisible()
  }
  await expect(tryAgain).toBeHidden()
  await expect(page.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
  await expectAccessible(page, 'no tries left')
  await expectReflow(page, 'no tries left')
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
})

test('a page whose code cannot be loaded at all ends at the default page of the router', { tag: '@spec-2.31' }, async ({
  page,
}) => {
  await page.route(LANDING_CODE, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('Hey developer')).toBeHidden()
  await expectAccessible(page, 'default error page of the router')
})

for (const [what, key] of [
  ['missing', ''],
  ['malformed', 'pk_live_nonsense'],
  ['for a malformed frontend API', `pk_live_${btoa('no-dot-in-it$')}`],
] as const) {
  test(`an authentication key that is ${what} shows Configuration Error`, { tag: ['@spec-2.34', '@spec-5.4'] }, async ({
    page,
  }) => {
    await replaceKey(page, key)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Configuration Error' })).toBeVisible()
    await expect(page.getByText('The authentication key is missing or malformed.')).toBeVisible()
    await expect(page.getByRole('navigation')).toBeHidden()
    if (key === '') await expectAccessible(page, 'configuration error')
  })
}
