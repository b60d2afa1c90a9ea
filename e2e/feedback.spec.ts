import { expect, test } from '@playwright/test'
import { FeedbackStatsAnswer } from '#contract/feedback/feedback.ts'
import { StepsAnswer } from '#contract/step.ts'
import { apiOf, createAccount, signUp, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { makeSpokenModule } from './spoken-module.ts'
import { stepsOf, untilReady } from './training.ts'

const LINES = ['First, open the file menu.', 'Next, write a short title.', 'Finally, click the save button.']

test('a learner rates a training and says what could be better, and its trainer sees it', {
  tag: '@spec-2.42',
}, async ({ page, browser }) => {
  await createAccount(page.request)
  const id = await makeSpokenModule(page, LINES)
  await expect(page.getByRole('group', { name: /How did the processing go/ })).toBeVisible()
  await expectAccessible(page, 'training with feedback')
  await expectReflow(page, 'training with feedback')

  const learner = await (await browser.newContext()).newPage()
  await createAccount(learner.request)
  await learner.goto(`/training/${id}`)
  const transcript = learner.getByRole('group', { name: 'Is the transcript right?' })
  await transcript.getByRole('button', { name: 'Worked' }).click()
  const thanks = learner.getByText('Thank you for your feedback!')
  await expect(thanks).toBeVisible()
  await expectAccessible(learner, 'thanks')
  await expect(thanks).toBeHidden()
  const steps = learner.getByRole('group', { name: 'Do the steps help?' })
  await steps.getByRole('button', { name: 'Did not work' }).click()
  await expect(steps).toBeHidden()

  const panel = learner.getByRole('region', { name: 'Feedback' })
  await panel.getByRole('button', { name: 'Send feedback' }).click()
  await expect(panel.getByRole('alert')).toHaveText('Write a few words first.')
  await expectAccessible(learner, 'empty feedback')
  await panel.getByRole('textbox').fill('Show the menu a little longer.')
  await panel.getByRole('button', { name: 'Send feedback' }).click()
  await expect(learner.getByText("Thank you for your feedback! We'll use it to improve this training.")).toBeVisible()
  await learner.route('**/api/feedback/improvement', (route) => route.abort())
  await panel.getByRole('textbox').fill('And once more.')
  await panel.getByRole('button', { name: 'Send feedback' }).click()
  await expect(learner.getByText('Failed to submit feedback. Please try again.')).toBeVisible()
  await expect(panel.getByRole('textbox')).toHaveValue('And once more.')
  await learner.context().close()

  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Feedback' })
  // Two ratings, one of which is good, and a suggestion, which is counted by itself.
  await expect(card.getByText('50.0%')).toBeVisible()
  await expect(card.getByText('Total Feedback').locator('..')).toContainText('2')
  await expect(card.getByText('“Show the menu a little longer.”')).toBeVisible()
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page, 'dashboard with feedback')
  await expectReflow(page, 'dashboard with feedback')
  const { stats } = FeedbackStatsAnswer.parse(await apiOf(page, '/api/feedback/stats'))
  expect(stats).toMatchObject({ total: 2, positive: 1, negative: 1, suggestions: 1 })
})

test('the dashboard says when the stats cannot be loaded, and what will be there when there are none', {
  tag: '@spec-8.17',
}, async ({ page }) => {
  await page.route('**/api/feedback/stats', (route) => route.fulfill({ status: 404, body: 'no' }))
  await signUp(page)
  const card = page.getByRole('region', { name: 'Feedback' })
  await expect(card.getByText('Failed to load feedback stats')).toBeVisible()
  await expectAccessible(page, 'stats that failed')
  await page.unroute('**/api/feedback/stats')
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card.getByText(/No feedback yet/)).toBeVisible()
  await expectAccessible(page, 'no stats')
})

test('an owner makes the steps again and decides on what is proposed', async ({ page }) => {
  await createAccount(page.request)
  const id = await makeSpokenModule(page, LINES)
  const { steps } = StepsAnswer.parse(await apiOf(page, `/api/steps/${id}`))
  const [first] = steps
  const data = { steps: [{ ...first, title: 'My own title' }] }
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  expect((await page.request.post(`/api/steps/${id}`, { headers, data })).status()).toBe(200)

  await page.reload()
  await page.getByRole('button', { name: 'More for this module' }).click()
  await expect(page.getByRole('menuitem', { name: 'Reprocess' })).toBeVisible()
  await expectAccessible(page, 'owner menu')
  await page.getByRole('menuitem', { name: 'Reprocess' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reprocess this video?' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'making the steps again')
  await dialog.getByRole('button', { name: 'Reprocess' }).click()
  await expect(dialog).toBeHidden()
  const panel = page.getByRole('region', { name: /Proposed changes/ })
  await expect(panel).toBeVisible({ timeout: 60_000 })
  await untilReady(page)
  await expectAccessible(page, 'proposals')
  await expectReflow(page, 'proposals')

  const count = await panel.getByRole('listitem').count()
  const before = await stepsOf(page).count()
  await expect(panel.getByRole('listitem').first()).toContainText('My own title')
  await panel.getByRole('button', { name: 'Accept all' }).click()
  // The one at the same moment and in the same words takes the place of the person's own.
  await expect(stepsOf(page)).toHaveCount(before + count - 1)
  await expect(page.getByRole('button', { name: /My own title/ })).toBeHidden()
  await expect(panel.getByText('Nothing is left to decide.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(stepsOf(page)).toHaveCount(before)
  await expect(panel.getByRole('listitem')).toHaveCount(count)
  await expect(page.getByRole('button', { name: /^Step \d+: My own title/ })).toBeVisible()
})
