import { expect, type Page, test } from '@playwright/test'
import { signOut, signUp } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'

const PHONE = { width: 390, height: 740 }
/** Canvas of the tokens in both schemes. */
const LIGHT = 'rgb(251, 250, 247)'
const DARK = 'rgb(14, 20, 18)'

/** Any speed that was measured: a machine that is busy with tests answers slowly. */
const ADVICE =
  /(Excellent connection - upload large videos freely|Good connection - videos up to 50MB recommended|Slow connection - consider compressing videos first)$/

const barOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test('the bar stays on top and leads everywhere', { tag: ['@spec-1.11', '@spec-2.14'] }, async ({ page }) => {
  await page.goto('/')
  const links = barOf(page).getByRole('link')
  await expect(links).toHaveText(['Adapt', 'Home', 'Dashboard', 'Upload', 'Sign In', 'Get Started'])
  await expect(barOf(page).getByText(ADVICE)).toBeAttached()
  // The bar is there before the page under it.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.mouse.wheel(0, 2_000)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  expect((await page.getByRole('banner').boundingBox())?.y).toBe(0)
  for (const [name, path] of [
    ['Upload', '/upload'],
    ['Sign In', '/sign-in'],
    ['Get Started', '/sign-up'],
    ['Home', '/'],
    ['Dashboard', '/sign-in'],
  ] as const) {
    await barOf(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`:\\d+${path}(?:[?#].*)?$`))
  }
  await barOf(page).getByRole('link', { name: 'Adapt' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('the keyboard can skip the bar, and a page that opens is read from its heading', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Started' })).toBeFocused()
  await barOf(page).getByRole('link', { name: 'Upload' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign In to Upload' })).toBeFocused()
  await expect(page).toHaveTitle('Upload · Adapt')
})

test('on a phone a menu holds the links, the whole network advice and the theme', { tag: '@spec-2.16' }, async ({
  page,
  context,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  const toggle = page.getByRole('button', { name: /^(Open|Close) menu$/ })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(barOf(page).getByRole('link', { name: 'Home' })).toBeHidden()
  await toggle.click()
  await expect(menu.getByRole('link')).toHaveText(['Home', 'Dashboard', 'Upload', 'Sign In', 'Get Started'])
  await expect(menu.getByText(ADVICE)).toBeVisible()
  await expect(menu.getByText('Last tested: Just now')).toBeVisible()
  await expectAccessible(page, 'menu')
  await expectReflow(page, 'menu')

  await test.step('tests the connection again on request, and knows when there is none', async () => {
    const again = page.waitForRequest('**/api/health')
    await menu.getByRole('button', { name: 'Test the connection again' }).click()
    await again
    await context.setOffline(true)
    await expect(menu.getByText('No internet connection')).toBeVisible()
    await expectAccessible(page, 'menu without a connection')
    await context.setOffline(false)
    await expect(menu.getByText(ADVICE)).toBeVisible()
  })
  await test.step('closes with Escape, and gives the focus back', async () => {
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(toggle).toBeFocused()
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  })
  await test.step('closes when a link is chosen', async () => {
    await toggle.click()
    await menu.getByRole('link', { name: 'Upload' }).click()
    await expect(page).toHaveURL(/\/upload$/)
    await expect(menu).toBeHidden()
  })
})

test('a theme that was chosen holds against the system, at once and on the next visit', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto('/')
  await expect.poll(() => backgroundOf(page)).toBe(LIGHT)
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await theme.selectOption('Dark')
  await expect.poll(() => backgroundOf(page)).toBe(DARK)
  // Before anything of the app has run, or the page would flash.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload({ waitUntil: 'domcontentloaded' })
  expect(await backgroundOf(page)).toBe(DARK)
  await page.unrouteAll()
  await page.reload()
  await expect(theme).toHaveValue('dark')
  await theme.selectOption('System')
  await expect.poll(() => backgroundOf(page)).toBe(LIGHT)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => backgroundOf(page)).toBe(DARK)
})

test('the navigation bar has a user menu for a signed-in person, and sign-out returns to /', {
  tag: '@spec-2.15',
}, async ({ page }) => {
  await signUp(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Training Dashboard' })).toBeVisible()
  await expect(page).toHaveTitle('Dashboard · Adapt')
  await expect(barOf(page).getByRole('link')).toHaveText(['Adapt', 'Home', 'Dashboard', 'Upload'])
  await signOut(page)
  await expect(barOf(page).getByRole('link', { name: 'Get Started' })).toBeVisible()
})

/** Opens the dashboard of a new person. @returns the addresses of Clerk's interface that the page asks for */
async function openDashboard(page: Page): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/@clerk/ui@') && asked.push(request.url()))
  await signUp(page)
  await expect(page.getByRole('button', { name: 'Try it with a sample' }).first()).toBeVisible()
  await expect(barOf(page).getByRole('button', { name: 'Open user menu' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  return asked
}

test('the account menu is loaded when it is opened, with the keyboard as with the pointer', async ({ page }) => {
  const asked = await openDashboard(page)
  expect(asked).toEqual([])
  const button = barOf(page).getByRole('button', { name: 'Open user menu' })
  const leave = page.getByRole('button', { name: 'Sign out' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(leave).toBeVisible()
  expect(asked).not.toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Manage account' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(leave).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(leave).toBeVisible()
  await expectAccessible(page, 'account menu')
})

test("the first call's token is asked for while the page's own code is still on its way", async ({ page }) => {
  await signUp(page)
  const asked = page.waitForRequest(/\/tokens\/api\b/)
  // The code that draws pages and makes the calls.
  await page.route(/\/assets\/workspace-/, async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard')
  // The heading comes before the page does.
  await expect(page.getByRole('main').getByRole('link', { name: 'Upload New Module' })).toBeVisible()
})

test('an account menu that cannot be loaded says so, and can be tried again', async ({ page, context }) => {
  await openDashboard(page)
  await context.setOffline(true)
  await barOf(page).getByRole('button', { name: 'Open user menu' }).click()
  const alert = barOf(page).getByRole('alert')
  await expect(alert).toHaveText(
    'The account menu could not be loaded. You are offline. Try again once you are connected.',
  )
  await expectAccessible(page, 'account menu while offline')
  await expectReflow(page, 'account menu while offline')
  await context.setOffline(false)
  await barOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await expect(alert).toBeHidden()
})

test('the badge of the connection does not change while the line stays as it is', { tag: '@spec-9.12' }, async ({
  page,
}) => {
  let tests = 0
  await page.route('**/api/health', (route) => {
    // The dashboard asks in its person's name whether speech recognition is prepared.
    if (route.request().headers()['authorization'] === undefined) tests += 1
    return route.fulfill({ json: { success: true } })
  })
  await page.clock.install()
  // What a busy machine takes to answer in the server's place is none of the line's.
  await page.addInitScript(() => {
    const line = { startTime: Number.POSITIVE_INFINITY, requestStart: 1, responseStart: 51 }
    performance.getEntriesByName = (url) => (url.endsWith('/api/health') ? [line as PerformanceResourceTiming] : [])
  })
  await signUp(page)
  // The page is drawn before Clerk has a session, which the faked clock would make look expired.
  await expect(barOf(page).getByRole('button', { name: 'Open user menu' })).toBeVisible()
  const badge = barOf(page).getByTitle(/connection/i)
  await expect(badge).toHaveAttribute('title', 'Excellent connection - upload large videos freely')
  await badge.evaluate((element) => {
    const titles: (string | null)[] = []
    Object.assign(window, { titles })
    new MutationObserver(() => titles.push(element.getAttribute('title'))).observe(element, { attributes: true })
  })
  const testedAt = () => page.evaluate(() => localStorage.getItem('adapt_speed_test_timestamp'))
  for (let repeat = 1; repeat <= 3; repeat += 1) {
    const last = await testedAt()
    await page.clock.fastForward('10:01')
    // The next ten minutes begin when the answer has been read, not when the call is made.
    await expect.poll(testedAt).not.toBe(last)
    expect(tests).toBe(1 + repeat)
  }
  await page.getByRole('link', { name: 'Upload', exact: true }).first().click()
  await expect(page).toHaveURL(/\/upload$/)
  await expect(badge).toHaveAttribute('title', 'Excellent connection - upload large videos freely')
  expect(await page.evaluate(() => (window as unknown as { titles: string[] }).titles)).toEqual([])
})
