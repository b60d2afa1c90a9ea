import { type Browser, expect, type Page, test } from '@playwright/test'
import { CollectionAnswer } from '#contract/collection.ts'
import { StepsAnswer } from '#contract/step.ts'
import { apiOf, createAccount, tokenOf } from './people.ts'
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

const WINTER = 'What does the insurance cost in winter?'
const ANSWER = 'In winter it costs 90 euros a month.'
const EARLIER = /given for an earlier version/i

/** Has the owner of the page answer what waits for the trainer. */
async function answerOnce(owner: Page, id: string): Promise<void> {
  await owner.goto(`/training/${id}/questions`)
  await expect(owner.getByText('1 person asks you')).toBeVisible()
  await owner.getByRole('button', { name: `Answer: ${WINTER}` }).click()
  const form = owner.getByRole('form', { name: 'Answer' })
  await form.getByRole('textbox', { name: 'Your answer' }).fill(ANSWER)
  await expectAccessible(owner, 'the form of an answer')
  await form.getByRole('button', { name: 'Give the answer' }).click()
  await expect(owner.getByRole('region', { name: 'Your answers' })).toContainText(ANSWER)
}

/** Changes what the steps of a training say, as its editor does. */
async function changeSteps(owner: Page, id: string): Promise<void> {
  const { steps, meta } = StepsAnswer.parse(await apiOf(owner, `/api/steps/${id}`))
  const data = { steps: steps.map((step) => ({ ...step, description: 'Otherwise.' })), version: meta.version }
  const headers = { authorization: `Bearer ${await tokenOf(owner)}` }
  expect((await owner.request.post(`/api/steps/${id}`, { data, headers })).ok()).toBe(true)
}

/** Asks the tutor as another person with the link. */
async function askAsAnother(browser: Browser, url: string): Promise<void> {
  const other = await (await browser.newContext()).newPage()
  await other.goto(url)
  await other.getByRole('button', { name: 'Ask the tutor' }).click()
  await other.getByRole('textbox', { name: 'Your question' }).fill('what does insurance cost in winter')
  await other.keyboard.press('Enter')
  await expect(tutorOf(other)).toContainText(ANSWER)
  await expect(tutorOf(other)).toContainText(/Answered by the trainer on/)
  await other.context().close()
}

/** Asks on the page of a collection that has the training, as another person with its link. */
async function askCollection(owner: Page, browser: Browser, id: string): Promise<void> {
  const { origin } = new URL(owner.url())
  const headers = { authorization: `Bearer ${await tokenOf(owner)}` }
  const made = await owner.request.post('/api/collections', { data: { title: 'Line 4' }, headers })
  const { collection } = CollectionAnswer.parse(await made.json())
  const path = `/api/collections/${collection.id}`
  expect((await owner.request.patch(path, { data: { moduleIds: [id] }, headers })).ok()).toBe(true)
  const other = await (await browser.newContext()).newPage()
  await other.goto(`${origin}${collection.shareUrl}`)
  await other.getByRole('searchbox').fill('what does insurance cost in winter')
  await expect(other.locator('#found')).toContainText(ANSWER)
  await expect(other.locator('#says')).toContainText(/Answered by the trainer on/)
  await expectAccessible(other, 'an answer of the trainer in what was found')
  await other.keyboard.press('Enter')
  await expect(other.locator('#answer')).toContainText(ANSWER)
  // It stands there once.
  await expect(other.locator('#found')).toBeHidden()
  await expectAccessible(other, 'an answer of the trainer about a collection')
  await expectReflow(other, 'an answer of the trainer about a collection')
  await other.locator('#answer').getByRole('link').click()
  await expect(other).toHaveURL(new RegExp(`/share/${id}\\?collection=`))
  await other.context().close()
}

test('a visitor without an account asks the tutor, where the owner allows it, and is refused when it is taken back', {
  tag: '@asked-4',
}, async ({ page: owner, browser, baseURL }) => {
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
    await visitor.getByRole('textbox', { name: 'Your question' }).fill(WINTER)
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
  await test.step('the trainer answers once, and confirms that for changed steps', async () => {
    await tutorOf(visitor).getByRole('button', { name: 'Ask the trainer' }).click()
    await expect(tutorOf(visitor)).toContainText('Sent to the trainer')
    await answerOnce(owner, id)
    await visitor.reload()
    // Whoever waits for an answer has it in view.
    const asked = visitor.getByRole('region', { name: 'Your questions to the trainer' })
    await expect(asked).toContainText(ANSWER)
    await expectAccessible(visitor, 'an answer of the trainer')
    await askAsAnother(browser, visitor.url())
    await askCollection(owner, browser, id)
    await changeSteps(owner, id)
    await visitor.reload()
    await visitor.getByRole('button', { name: 'Ask the tutor' }).click()
    await expect(asked).toContainText(EARLIER)
    await owner.reload()
    const own = owner.getByRole('region', { name: 'Your answers' })
    await expect(own).toContainText(EARLIER)
    await own.getByRole('button', { name: 'Still right' }).click()
    await expect(own.getByText(EARLIER)).toBeHidden()
  })
  await test.step('an open page says so when the owner takes it back', async () => {
    await switchTutor(owner)
    await visitor.getByRole('textbox', { name: 'Your question' }).fill('What do I do with the cover at first?')
    await visitor.keyboard.press('Enter')
    await expect(tutorOf(visitor)).toContainText('Sign in to ask the tutor about this training.')
  })
})
