import { expect, type Page, test } from '@playwright/test'
import { StepsAnswer } from '#contract/step.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { stepsOf } from './training.ts'

const NOTE = 'Learners often ask about the magenta gasket: it stays in.'
const QUESTION = 'What about the magenta gasket?'

async function ask(page: Page): Promise<void> {
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  await tutor.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await tutor.getByRole('textbox', { name: 'Your question' }).press('Enter')
}

function answerOf(page: Page) {
  return page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').last()
}

test('a trainer writes a teaching note, lets the tutor quote it, and learners get it from the tutor alone', {
  tag: '@spec-3.13',
}, async ({ page, browser }) => {
  await createAccount(page.request)
  const id = await makeSpokenModule(page, COVER_LINES)
  await page.getByRole('button', { name: /^Edit step 1:/ }).click()
  const editor = page.getByRole('form', { name: /^Edit step/ })
  await editor.getByRole('textbox', { name: 'Teaching notes' }).fill(NOTE)
  await expect(editor.getByText(`Learners do not see them · ${NOTE.length} of 300`)).toBeVisible()
  await expectAccessible(page, 'a note in the editor')
  await expectReflow(page, 'a note in the editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  const first = stepsOf(page).first()
  await first.getByText('Teaching note', { exact: true }).click()
  await expect(first.getByText(NOTE)).toBeVisible()
  await expectAccessible(page, 'a note in the list')
  await expectReflow(page, 'a note in the list')

  await ask(page)
  await expect(answerOf(page).getByRole('button', { name: /Trainer's note, step 1$/ })).toBeVisible()
  await expectAccessible(page, 'an answer from a note')

  const visitor = await browser.newContext()
  const learner = await visitor.newPage()
  await createAccount(learner.request)
  await learner.goto(`/training/${id}`)
  await ask(learner)
  await expect(answerOf(learner).getByText('Not in this video')).toBeVisible()
  await expect(learner.getByText('Teaching note')).toHaveCount(0)

  await page.goto(`/edit-steps/${id}`)
  await page.getByRole('button', { name: /^Edit step 1:/ }).click()
  await page.getByRole('checkbox', { name: "Learners' tutor may quote this" }).check()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  const { steps } = StepsAnswer.parse(await apiOf(page, `/api/steps/${id}`))
  expect(steps[0]).toMatchObject({ notes: NOTE, notesQuotable: true, notesEdited: true })

  await ask(learner)
  await expect(answerOf(learner).getByText(NOTE)).toBeVisible()
  await expect(answerOf(learner).getByRole('button', { name: /Trainer's note, step 1$/ })).toBeVisible()
  expect(await (await learner.request.get(`/api/share/${id}`)).text()).not.toContain('magenta')
  await visitor.close()
})
