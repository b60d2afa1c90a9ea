import { expect, type Page, test } from '@playwright/test'
import { createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { videoTimeOf } from './training.ts'

const LIMIT = 'Answers a day that a model may write'

const tutorOf = (page: Page) => page.getByRole('region', { name: 'Ask the tutor' })

/** Opens the share dialog of the owner's only module and changes whether people with the link can ask. */
async function switchTutor(owner: Page): Promise<void> {
  await owner.goto('/dashboard')
  await owner.getByRole('button', { name: /^Share: / }).click()
  const dialog = owner.getByRole('dialog', { name: 'Share this training' })
  const saved = owner.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await dialog.getByRole('switch', { name: 'People with the link can ask the tutor' }).click()
  expect((await saved).status()).toBe(200)
}

test('a visitor without an account asks the tutor, where the owner allows it, and is refused when it is taken back', async ({
  page: owner,
  browser,
  baseURL,
}) => {
  await createAccount(owner.request)
  const id = await makeSpokenModule(owner, COVER_LINES)
  await switchTutor(owner)
  await expect(owner.getByRole('spinbutton', { name: LIMIT })).toHaveValue('20')
  await expectAccessible(owner, 'share dialog with the tutor')

  const visitor = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await visitor.goto(`/share/${id}`)
  await test.step('an answer shows the moment', async () => {
    await visitor.getByRole('button', { name: 'Ask the tutor' }).click()
    await visitor.getByRole('textbox', { name: 'Your question' }).fill('What do I do with the cover at first?')
    await visitor.keyboard.press('Enter')
    const moment = tutorOf(visitor)
      .getByRole('button', { name: /^Play from/ })
      .first()
    await expect(moment).toBeVisible()
    await expectAccessible(visitor, 'share page with the tutor')
    await moment.click()
    await expect.poll(() => videoTimeOf(visitor)).toBeGreaterThan(0)
  })
  await test.step('what the video does not cover is said', async () => {
    await visitor.getByRole('textbox', { name: 'Your question' }).fill('What does the insurance cost in winter?')
    await visitor.getByRole('button', { name: 'Send' }).click()
    await expect(tutorOf(visitor)).toContainText('This video does not cover that.')
  })
  await test.step('it fits a phone, and the field stays in view under the video', async () => {
    await expectReflow(visitor, 'share page with the tutor')
    await visitor.setViewportSize({ width: 375, height: 667 })
    const field = visitor.getByRole('textbox', { name: 'Your question' })
    await field.fill('What do I do with the cover at first?')
    await field.press('Enter')
    await expect(tutorOf(visitor).getByRole('listitem').nth(2)).toContainText('cover')
    await expect(field).toBeInViewport({ ratio: 1 })
    await expect(visitor.getByRole('heading', { name: 'Ask the tutor' })).toBeInViewport({ ratio: 1 })
    await expect(field).toHaveCSS('resize', 'none')
  })
  await test.step('an open page says so when the owner takes it back', async () => {
    await switchTutor(owner)
    await visitor.getByRole('textbox', { name: 'Your question' }).fill('What do I do with the cover at first?')
    await visitor.keyboard.press('Enter')
    await expect(tutorOf(visitor)).toContainText('Sign in to ask the tutor about this training.')
  })
})
