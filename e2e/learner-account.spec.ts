import { type Browser, expect, type Page, test } from '@playwright/test'
import { fillSignIn, signUp, signUpFrom } from './people.ts'
import { plantModules } from './plant-modules.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { stepsOf, videoTimeOf } from './training.ts'

/** A page of a browser that nobody has signed in with. */
async function openStranger(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
}

const openedOf = (page: Page) => page.getByRole('region', { name: 'Trainings you opened' })
const cardsOf = (page: Page) => openedOf(page).getByRole('listitem')
const pathOf = (page: Page) => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}

test('a learner goes from the shared page to the tutor by signing up, and finds the training again', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page)
  const id = await makeSpokenModule(page, COVER_LINES)
  const learner = await openStranger(browser, baseURL)
  let atS = 0
  await learner.goto(`/share/${id}`)
  const askTutor = learner.getByRole('link', { name: 'Ask the tutor' })

  await test.step('the link goes to the moment where the video is', async () => {
    await stepsOf(learner).nth(1).getByRole('button').first().click()
    await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(4)
    await learner.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
    atS = Math.floor(await videoTimeOf(learner))
    await expectAccessible(learner, 'share page with the way to the tutor')
    await askTutor.click()
    await expect(learner).toHaveURL(/\/sign-in\?redirect_url=/)
  })
  await test.step('signing up comes back to it', async () => {
    await signUpFrom(learner)
    await expect(learner).toHaveURL(new RegExp(`/training/${id}\\?seek=${atS}$`))
    await expect.poll(() => videoTimeOf(learner)).toBe(atS)
  })
  await test.step('the tutor answers', async () => {
    const tutor = learner.getByRole('region', { name: 'Ask the tutor' })
    await tutor.getByRole('textbox', { name: 'Your question' }).fill('What do I do with the cover at first?')
    await learner.keyboard.press('Enter')
    await expect(tutor.getByRole('region', { name: 'Conversation' })).toContainText(/cover/i)
    await expect(tutor.getByRole('group', { name: 'Did this answer help?' })).toBeVisible()
  })
  await test.step('the dashboard of a person who only learns begins with it', async () => {
    await learner.goto('/dashboard')
    await expect(cardsOf(learner)).toHaveCount(1)
    await expect(learner.getByRole('heading', { name: 'You have no modules of your own' })).toBeVisible()
    await expect(learner.getByText('Your first module starts with a video')).toBeHidden()
    await expectAccessible(learner, 'dashboard of a learner')
    await expectReflow(learner, 'dashboard of a learner')
    await openedOf(learner).getByRole('heading', { level: 3 }).getByRole('link').press('Enter')
    await expect(learner).toHaveURL(new RegExp(`/training/${id}$`))
  })
  await test.step('it can be removed with the keyboard, and stays removed', async () => {
    await learner.goto('/dashboard')
    const removed = learner.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await openedOf(learner)
      .getByRole('button', { name: /^Remove from this list/ })
      .press('Enter')
    await expect(openedOf(learner)).toBeHidden()
    expect((await removed).status()).toBe(200)
    await learner.reload()
    await expect(learner.getByText('Your first module starts with a video')).toBeVisible()
  })
})

test('a trainer finds the trainings of others above the own modules, newest first, with long titles and on a phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await openStranger(browser, baseURL)
  await signUp(owner)
  const userOf = (of: Page) =>
    of.evaluate(() => (window as unknown as { Clerk: { user: { id: string } } }).Clerk.user.id)
  const titles = ['First', 'Second', 'Third', `Fourth ${'Donaudampfschifffahrtsgesellschaft'.repeat(5)}`]
  const ids = await plantModules(
    baseURL ?? '',
    await userOf(owner),
    titles.map((title) => ({ title })),
  )
  await signUp(page)
  await plantModules(baseURL ?? '', await userOf(page), [{ title: 'My own' }])
  for (const [at, id] of ids.entries()) {
    const recorded = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith(id))
    await page.goto(`/training/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: titles[at] ?? '' })).toBeVisible()
    expect((await recorded).status()).toBe(200)
  }
  await page.goto('/dashboard')
  await expect(openedOf(page).getByRole('heading', { level: 3 })).toHaveText([/^Fourth/, 'Third', 'Second'])
  await expect(page.getByRole('link', { name: 'My own', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show all 4' }).press('Enter')
  await expect(cardsOf(page)).toHaveCount(4)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectReflow(page, 'dashboard with opened trainings')
  await expectAccessible(page, 'dashboard with opened trainings')

  await test.step('a list that cannot be loaded is said, and asked for again', async () => {
    await page.route('**/api/opened-modules', (route) => route.fulfill({ status: 404, body: '{}' }))
    await page.reload()
    const retry = page.getByRole('button', { name: 'Retry loading trainings' })
    await expect(page.getByText(/^The trainings that you opened could not be loaded\./)).toBeVisible()
    await expect(page.getByRole('link', { name: 'My own', exact: true })).toBeVisible()
    await page.unrouteAll()
    await retry.click()
    await expect(cardsOf(page)).toHaveCount(3)
  })
})

test('the page that was wanted is kept through signing in, its steps and a reload', async ({
  page,
  browser,
  baseURL,
}) => {
  const account = await signUp(page)
  for (const wanted of [
    '/edit-steps/none-of-these-modules',
    '/debug?status=failed',
    '/training/none-of-them?seek=7#step-2',
  ]) {
    await test.step(wanted, async () => {
      const stranger = await openStranger(browser, baseURL)
      await stranger.goto(wanted)
      await expect(stranger.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
      await stranger.getByLabel('Email address').fill(account.email)
      await stranger.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect(stranger).toHaveURL(/\/sign-in\/factor-one/)
      await stranger.reload()
      await stranger.getByLabel('Password', { exact: true }).fill(account.password)
      await stranger.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect.poll(() => pathOf(stranger)).toBe(wanted)
      await stranger.context().close()
    })
  }
  await test.step('from the upload page by its own buttons, and over to sign-up', async () => {
    const stranger = await openStranger(browser, baseURL)
    await stranger.goto('/upload')
    await stranger.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
    await expect(stranger.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await stranger.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Get Started' }).click()
    await stranger.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await signUpFrom(stranger)
    await expect.poll(() => pathOf(stranger)).toBe('/upload')
    await stranger.context().close()
  })
  await test.step('for a person who is signed in already', async () => {
    for (const from of ['/sign-in', '/sign-up', '/sso-callback']) {
      await page.goto(`${from}?redirect_url=%2Fdebug`)
      await expect.poll(() => pathOf(page), from).toBe('/debug')
    }
  })
})

const FOREIGN = [
  '//evil.test',
  '/\\evil.test',
  'https:evil.test',
  'https://evil.test/',
  '/.//evil.test',
  'http://[',
  'javascript:alert(1)',
]

test('signing in leads to no other site, whatever the address asks for', async ({ page, browser, baseURL }) => {
  const account = await signUp(page)
  const left: string[] = []
  for (const wanted of FOREIGN) {
    const stranger = await openStranger(browser, baseURL)
    stranger.on('request', (request) => {
      if (!request.url().startsWith(`${baseURL}/`) && /^https?:/.test(request.url())) left.push(request.url())
    })
    stranger.on('dialog', (dialog) => left.push(dialog.message()))
    const names = ['redirect_url', 'sign_in_force_redirect_url', 'sign_in_fallback_redirect_url']
    await stranger.goto(`/sign-in?${new URLSearchParams(names.map((name) => [name, wanted]))}`)
    await fillSignIn(stranger, account)
    await expect(stranger, wanted).toHaveURL(`${baseURL}/dashboard`)
    await stranger.context().close()
  }
  expect(left).toEqual([])
})
