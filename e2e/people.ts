import { expect, type Page } from '@playwright/test'

const PASSWORD = 'A-long-passphrase-7!'

/** Signs a new person up in the real Clerk form and lands on the dashboard. */
export async function signUp(page: Page): Promise<{ email: string; password: string }> {
  const email = `trainer-${crypto.randomUUID().slice(0, 8)}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const proceed = page.getByRole('button', { name: 'Continue', exact: true })
  // The hint about the password moves the button while it appears; a press that gets lost is made again.
  await expect(page.getByText('Your password meets all the necessary requirements.').first()).toBeVisible()
  await expect(async () => {
    if (await proceed.isVisible()) await proceed.click({ timeout: 2_000 })
    await expect(page).toHaveURL(/\/dashboard$/, { timeout: 10_000 })
  }).toPass({ timeout: 60_000 })
  return { email, password: PASSWORD }
}

/** A bearer token of whoever is signed in on this page, as the app itself gets it. */
export async function tokenOf(page: Page): Promise<string> {
  const token = await page.evaluate(async () => {
    const { Clerk } = window as unknown as {
      Clerk?: { session?: { getToken(options: { template: string }): Promise<string | null> } }
    }
    return (await Clerk?.session?.getToken({ template: 'api' })) ?? null
  })
  if (token === null) throw new Error('nobody is signed in on this page')
  return token
}

/** Calls the API as whoever is signed in on this page. */
export async function apiOf(page: Page, path: string): Promise<unknown> {
  const response = await page.request.get(path, { headers: { authorization: `Bearer ${await tokenOf(page)}` } })
  return response.json()
}
