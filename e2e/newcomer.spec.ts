import { expect, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { apiOf, signOut, signUpInForm } from './people.ts'
import { moduleIdOf, stepsOf, untilReady } from './training.ts'

/** As most people have it; the other journeys ask for none (playwright.config.ts). */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a newcomer signs up, tries the sample with one click, and shares what came out', {
  tag: ['@spec-1.1', '@spec-1.3', '@spec-2.5', '@spec-2.21'],
}, async ({ page, browser }) => {
  const refused: string[] = []
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()))
  const landing = await page.goto('/')
  expect(landing?.headers()['content-security-policy']).toContain("script-src 'self'")
  expect(landing?.headers()['x-content-type-options']).toBe('nosniff')
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await expect(page).toHaveURL(/\/sign-up/)
  await signUpInForm(page)
  await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Try it with a sample' }).click()
  await expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })

  await untilReady(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change the roll in a label printer')
  const id = moduleIdOf(page)
  const { module } = ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`))
  expect(module.steps.length).toBeGreaterThan(2)
  await expect(stepsOf(page)).toHaveCount(module.steps.length)
  const anyone = await (await browser.newContext()).newPage()
  const requests: string[] = []
  anyone.on('request', (request) => requests.push(request.url()))
  await anyone.goto(`/share/${id}`)
  await expect(stepsOf(anyone)).toHaveCount(module.steps.length)
  expect(requests.filter((url) => /clerk/.test(url))).toEqual([])
  expect(requests.filter((url) => !/^(http:\/\/localhost:|data:|blob:)/.test(url))).toEqual([])
  await anyone.context().close()

  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Start Training' })).toBeVisible()
  expect(refused, 'what the policy of the pages refused').toEqual([])
})

test('a signed-out visitor is sent to sign in, and an unknown page is the landing page', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto('/no/such/page')
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible()
})

test('signing out ends at the landing page, and signing in again leads back to the dashboard', {
  tag: ['@spec-1.6', '@spec-2.5', '@spec-9.18'],
}, async ({ page }) => {
  const { email, password } = await signUpInForm(page)
  await signOut(page)
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByTestId('form-feedback-error')).toHaveText(
    'Password is incorrect. Try again, or use another method.',
  )
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
