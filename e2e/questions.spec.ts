import { type APIRequest, expect, type Page, test } from '@playwright/test'
import { QuestionsAnswer } from '#contract/feedback/questions.ts'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { StepsAnswer } from '#contract/step.ts'
import { apiOf, createAccount, tokenByCall } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { makeSpokenModule } from './spoken-module.ts'
import { openSection, stepsOf, videoTimeOf } from './training.ts'

const LINES = [
  'First take the red cover off and put it aside.',
  'Now press the green button until the light is on.',
  'Next close the cover and turn the key to the right.',
]

/** Asks the tutor as a new visitor. */
async function askAs(request: APIRequest, moduleId: string, questions: readonly [string, number][]): Promise<void> {
  const learner = await request.newContext()
  await createAccount(learner)
  const headers = { authorization: `Bearer ${await tokenByCall(learner)}` }
  for (const [userMessage, videoTime] of questions) {
    const data = { moduleId, userMessage, videoTime }
    const asked = await learner.post('/api/ai/contextual-response', { headers, data })
    expect(asked.status(), await asked.text()).toBe(200)
  }
  await learner.dispose()
}

/** The card of a question. */
function questionOf(page: Page, text: string) {
  return page
    .getByRole('region', { name: /^Questions from learners/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(text, { exact: true }) })
}

async function stepsNow(page: Page, id: string) {
  return StepsAnswer.parse(await apiOf(page, `/api/steps/${id}`)).steps
}

test('a trainer sees what learners ask where, and makes an alias, a note and a step of it', async ({
  page,
  playwright,
}) => {
  await createAccount(page.request)
  await page.clock.install()
  const id = await makeSpokenModule(page, LINES)
  const panel = page.getByRole('region', { name: /^Questions from learners/ })
  await openSection(page, 'Questions')
  await expect(panel.getByText(/^No open questions\./)).toBeVisible()

  const [espresso, battery] = ['How do I brew espresso?', 'Which battery does the remote control need?'] as const
  await askAs(playwright.request, id, [
    ['Where is the green button?', 5],
    ['What is next?', 6],
    [espresso, 9],
  ])
  await askAs(playwright.request, id, [
    ['where do I find the green BUTTON', 6],
    [battery, 6],
  ])
  await page.reload()
  // Wherever the owner is, the link says how many wait.
  await expect(page.getByRole('link', { name: /^Questions\W+5\W+open$/ })).toBeVisible()
  const green = questionOf(page, 'Where is the green button?')
  await expect(green.getByText('Asked 2 times by 2 people')).toBeVisible()
  await expect(questionOf(page, espresso).getByText('Not in the video')).toBeVisible()
  await green.getByText('Other wordings').click()
  await expect(green.getByText('where do I find the green BUTTON')).toBeVisible()
  await expectAccessible(page, 'questions')
  await expectReflow(page, 'questions')
  await green.getByRole('button', { name: 'Play from 00:06' }).click()
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThanOrEqual(6)

  const before = await stepsNow(page, id)
  await green.getByRole('button', { name: /^Add as alias/ }).press('Enter')
  const alias = green.getByRole('textbox', { name: 'Alias' })
  await expect(alias).toBeFocused()
  await expectAccessible(page, 'an alias')
  await expectReflow(page, 'an alias')
  await alias.press('ControlOrMeta+a')
  await alias.pressSequentially('start button')
  await alias.press('Enter')
  await expect(page.getByText(/^Alias added to/)).toBeVisible()
  await expect(green).toBeHidden()
  await expect(page.getByRole('heading', { name: /^Questions from learners/ })).toBeFocused()
  const aliasesNow = async () => (await stepsNow(page, id)).flatMap(({ aliases }) => aliases)
  await expect.poll(aliasesNow).toContain('start button')

  const remote = questionOf(page, battery)
  await remote.getByRole('button', { name: /^Add a teaching note/ }).click()
  await remote.getByRole('textbox', { name: 'New note' }).clear()
  await remote.getByRole('button', { name: 'Add note' }).click()
  await expect(remote.getByText('Write what you want to remember about this step')).toBeVisible()
  await remote.getByRole('textbox', { name: 'New note' }).pressSequentially('battery of size AA')
  await remote.getByRole('button', { name: 'Add note' }).click()
  await expect(remote).toBeHidden()
  const notesNow = async () => (await stepsNow(page, id)).map((step) => step.notes).join('')
  await expect.poll(notesNow).toContain('battery of size AA')

  const coffee = questionOf(page, espresso)
  await coffee.getByRole('button', { name: /^Add a step/ }).click()
  const form = coffee.getByRole('form', { name: 'Add a step' })
  await expect(form.getByLabel('Title')).toHaveValue('Brew espresso')
  await expect(form.getByLabel('Start', { exact: true })).toHaveValue('00:09')
  await expectAccessible(page, 'a step from a question')
  await expectReflow(page, 'a step from a question')
  await form.getByRole('button', { name: 'Add step' }).click()
  await expect(coffee).toBeHidden()
  await expect(stepsOf(page)).toHaveCount(before.length + 1)

  const last = questionOf(page, 'What is next?')
  await last.getByRole('button', { name: /^Settled/ }).click()
  await expect(panel.getByText(/^No open questions\./)).toBeVisible()
  // Notices of what was done before may still lie over this one.
  const settled = page.locator('[data-sonner-toast]').filter({ has: page.getByText('Settled', { exact: true }) })
  await settled.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(last).toBeVisible()
  const left = async () => QuestionsAnswer.parse(await apiOf(page, `/api/questions/${id}`))
  await expect.poll(left).toMatchObject({ open: 1 })
  const { steps } = LearningMetricsAnswer.parse(await apiOf(page, `/api/learning-metrics/${id}`))
  expect(steps.reduce((sum, { questions }) => sum + questions, 0)).toBe(5)
})

test('the list fills while it is open, with what learners ask and not with what its owner tries', async ({
  page,
  playwright,
}) => {
  await createAccount(page.request)
  await page.clock.install()
  const id = await makeSpokenModule(page, LINES)
  const panel = page.getByRole('region', { name: /^Questions from learners/ })
  await openSection(page, 'Questions')
  await expect(panel.getByText(/^No open questions\./)).toBeVisible()
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  await tutor.getByRole('textbox', { name: 'Your question' }).fill('How do I brew espresso?')
  await tutor.getByRole('textbox', { name: 'Your question' }).press('Enter')
  await expect(tutor.getByText('Not in this video')).toBeVisible()
  await askAs(playwright.request, id, [['Where is the green button?', 5]])
  // The page asks again twice a minute.
  await page.clock.fastForward(30_000)
  await expect(questionOf(page, 'Where is the green button?')).toBeVisible()
  await expect(questionOf(page, 'How do I brew espresso?')).toBeHidden()
})
