import { type Browser, expect, type Page, test } from '@playwright/test'
import { createAccount, fillSignIn, signUpFrom, tokenByCall } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { seedModules } from './seed-modules.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { stepsOf, videoTimeOf } from './training.ts'

/** A page of a browser in which no account is signed in. */
async function openStranger(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
}

/** Makes a stranger of the person of a page, whose browser has loaded the scripts already. */
async function forgetPerson(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

const openedOf = (page: Page) => page.getByRole('region', { name: 'Trainings you opened' })
const cardsOf = (page: Page) => openedOf(page).getByRole('listitem')
const pathOf = (page: Page) => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}

/** The server's answer that the training is among those that the person of the page has opened. */
function untilRecorded(page: Page, moduleId: string) {
  return page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith(moduleId))
}

test('a learner goes from the shared page to the tutor by signing up, and finds the training again', {
  tag: '@spec-2.7',
}, async ({ page, browser, baseURL }) => {
  await createAccount(page.request)
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
    const recorded = untilRecorded(learner, id)
    await signUpFrom(learner)
    await expect(learner).toHaveURL(new RegExp(`/training/${id}\\?seek=${atS}$`))
    await expect.poll(() => videoTimeOf(learner)).toBe(atS)
    expect((await recorded).status()).toBe(200)
  })
  await test.step('the tutor answers', async () => {
    const tutor = learner.getByRole('region', { name: 'Ask the tutor' })
    const question = tutor.getByRole('textbox', { name: 'Your question' })
    await question.fill('What do I do with the cover at first?')
    await question.press('Enter')
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
    const recorded = untilRecorded(learner, id)
    await openedOf(learner).getByRole('heading', { level: 3 }).getByRole('link').press('Enter')
    await expect(learner).toHaveURL(new RegExp(`/training/${id}$`))
    // Or it would be on the list again after it has been removed.
    expect((await recorded).status()).toBe(200)
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
  request,
}) => {
  const owner = await createAccount(request)
  const titles = ['First', 'Second', 'Third', `Fourth ${'Donaudampfschifffahrtsgesellschaft'.repeat(5)}`]
  const ids = await seedModules(
    owner.origin,
    owner.userId,
    titles.map((title) => ({ title })),
  )
  const { userId } = await createAccount(page.request)
  await seedModules(owner.origin, userId, [{ title: 'My own' }])
  const headers = { authorization: `Bearer ${await tokenByCall(page.request)}` }
  for (const id of ids.slice(0, -1)) {
    expect((await page.request.put(`/api/opened-modules/${id}`, { headers })).status()).toBe(200)
  }
  const recorded = untilRecorded(page, ids.at(-1) ?? '')
  await page.goto(`/training/${ids.at(-1)}`)
  await expect(page.getByRole('heading', { level: 1, name: titles.at(-1) ?? '' })).toBeVisible()
  expect((await recorded).status()).toBe(200)
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

test('the page that was wanted is kept through signing in, its steps and a reload', { tag: '@spec-2.6' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const account = await createAccount(page.request)
  const stranger = await openStranger(browser, baseURL)
  for (const wanted of [
    '/edit-steps/none-of-these-modules',
    '/debug?status=failed',
    '/training/none-of-them?seek=7#step-2',
  ]) {
    await test.step(wanted, async () => {
      await forgetPerson(stranger)
      await stranger.goto(wanted)
      await expect(stranger.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
      await stranger.getByLabel('Email address').fill(account.email)
      await stranger.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect(stranger).toHaveURL(/\/sign-in\/factor-one/)
      await stranger.reload()
      await stranger.getByLabel('Password', { exact: true }).fill(account.password)
      await stranger.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect.poll(() => pathOf(stranger)).toBe(wanted)
    })
  }
  await test.step('from the upload page by its own buttons, and over to sign-up', async () => {
    await forgetPerson(stranger)
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

/** One of each kind; `wanted-path.test.ts` has the others. */
const FOREIGN = ['//evil.test', '/\\evil.test', 'javascript:alert(1)']

test('signing in leads to no other site, whatever the address asks for', { tag: ['@attack-41', '@spec-2.6'] }, async ({
  page,
  request,
  baseURL,
}) => {
  const account = await createAccount(request)
  const left: string[] = []
  page.on('request', (asked) => {
    if (!asked.url().startsWith(`${baseURL}/`) && /^https?:/.test(asked.url())) left.push(asked.url())
  })
  page.on('dialog', (dialog) => left.push(dialog.message()))
  for (const wanted of FOREIGN) {
    await forgetPerson(page)
    const names = ['redirect_url', 'sign_in_force_redirect_url', 'sign_in_fallback_redirect_url']
    await page.goto(`/sign-in?${new URLSearchParams(names.map((name) => [name, wanted]))}`)
    await fillSignIn(page, account)
    await expect(page, wanted).toHaveURL(`${baseURL}/dashboard`)
    // Answers that are still on their way would bring the person's cookies back.
    await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(left).toEqual([])
})
