import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'

const PASSWORD = 'A-long-passphrase-7!'

interface Account {
  email: string
  password: string
}

interface Person extends Account {
  userId: string
  /** Of the system that knows them. */
  origin: string
}

function newAccount(): Account {
  return { email: `trainer-${crypto.randomUUID().slice(0, 8)}@example.com`, password: PASSWORD }
}

/**
 * Signs a new person up without a page, by the call that the form makes; the next page that is opened knows them.
 * Journeys that are not about the form do not wait for it.
 */
export async function createAccount(request: APIRequestContext): Promise<Person> {
  const account = newAccount()
  const answer = await request.post('/__clerk/v1/client/sign_ups', {
    form: { email_address: account.email, password: account.password },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  const { response } = (await answer.json()) as { response: { created_user_id: string } }
  return { ...account, userId: response.created_user_id, origin: new URL(answer.url()).origin }
}

/** Signs an account in without a page, by the call that the form makes. */
export async function signInByCall(request: APIRequestContext, { email, password }: Account): Promise<void> {
  const answer = await request.post('/__clerk/v1/client/sign_ins', { form: { identifier: email, password } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Opens Clerk's list of where a person may work, from the account menu. */
export async function openOrganizations(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Organizations' })
  const item = page.getByRole('button', { name: 'Organizations', exact: true })
  // The menu is drawn once more when its data arrive; a press that gets lost is made again.
  await expect(async () => {
    if (new URL(page.url()).pathname === '/') return
    if (!(await item.isVisible())) await page.getByRole('button', { name: 'Open user menu' }).click({ timeout: 2_000 })
    await item.click({ timeout: 2_000 })
    await expect(dialog).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  return dialog
}

/** Switches to an organization, or to `Personal account`, and lands on its dashboard. */
export async function workIn(page: Page, name: string): Promise<void> {
  const dialog = await openOrganizations(page)
  await dialog.getByRole('button', { name }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Signs a new person up as above, and lands on the dashboard. */
export async function signUp(page: Page): Promise<Person> {
  const account = await createAccount(page.request)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
  return account
}

/** Signs a new person up in the real Clerk form and lands on the dashboard. */
export async function signUpInForm(page: Page): Promise<Account> {
  await page.goto('/sign-up')
  return fillSignUp(page, /\/dashboard$/)
}

/** Goes from the sign-in form to that of sign-up, as a person without an account does, and leaves it signed up. */
export async function signUpFrom(page: Page): Promise<Account> {
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/sign-up/)
  return fillSignUp(page, /^(?!.*\/sign-)/)
}

/** Fills Clerk's form of a new account in and sends it. */
export async function fillSignUp(page: Page, arrivesAt: RegExp): Promise<Account> {
  const account = newAccount()
  await page.getByLabel('Email address').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  const proceed = page.getByRole('button', { name: 'Continue', exact: true })
  // The hint about the password moves the button while it appears; a press that gets lost is made again.
  await expect(page.getByText('Your password meets all the necessary requirements.').first()).toBeVisible()
  await expect(async () => {
    if (await proceed.isVisible()) await proceed.click({ timeout: 2_000 })
    await expect(page).toHaveURL(arrivesAt, { timeout: 10_000 })
  }).toPass({ timeout: 60_000 })
  return account
}

/** Signs in with the real Clerk form, which asks for the address first and then for the password. */
export async function fillSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** Signs the person of this page out with the real Clerk menu, and lands on the landing page. */
export async function signOut(page: Page): Promise<void> {
  const leave = page.getByRole('button', { name: 'Sign out' })
  // The menu is drawn once more when its data arrive; a press that gets lost is made again.
  await expect(async () => {
    if (new URL(page.url()).pathname === '/') return
    if (!(await leave.isVisible())) await page.getByRole('button', { name: 'Open user menu' }).click({ timeout: 2_000 })
    await leave.click({ timeout: 2_000 })
    await expect(page).toHaveURL(/:\d+\/$/, { timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

interface WithClerk {
  Clerk?: { session?: { getToken(options: { template: string }): Promise<string | null> } | null }
}

/** A bearer token of the person who is signed in on this page, as the app itself gets it. */
export async function tokenOf(page: Page): Promise<string> {
  // The page shows much before it knows who is signed in.
  await page.waitForFunction(() => Boolean((window as unknown as WithClerk).Clerk?.session), null, { timeout: 30_000 })
  const token = await page.evaluate(() =>
    (window as unknown as WithClerk).Clerk?.session?.getToken({ template: 'api' }),
  )
  if (typeof token !== 'string') throw new Error('the session of this page gives no token')
  return token
}

/** The same without a page. */
export async function tokenByCall(request: APIRequestContext): Promise<string> {
  const client = (await (await request.get('/__clerk/v1/client')).json()) as {
    response: { last_active_session_id: string }
  }
  const path = `/__clerk/v1/client/sessions/${client.response.last_active_session_id}/tokens/api`
  const { jwt } = (await (await request.post(path)).json()) as { jwt: string }
  return jwt
}

/** Calls the API as the person who is signed in on this page. */
export async function apiOf(page: Page, path: string): Promise<unknown> {
  const response = await page.request.get(path, { headers: { authorization: `Bearer ${await tokenOf(page)}` } })
  return response.json()
}
