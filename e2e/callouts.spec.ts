import { expect, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { apiOf, tokenOf } from './people.ts'
import { openSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { stepsOf } from './training.ts'

const PROPOSED = [
  { kind: 'warning', text: 'Careful, the cover is sharp.', quote: 'Careful, the cover is sharp.' },
  { kind: 'part', text: 'New roll', quote: 'Now take a new roll and put it in.' },
]

test('a trainer takes one proposed callout and leaves another, and a learner sees it before the step', async ({
  page,
  browser,
}) => {
  const id = await openSample(page)
  const { module } = ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`))
  const steps = module.steps.map((step, at) => (at === 1 ? { ...step, proposedCallouts: PROPOSED } : step))
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  await page.request.post(`/api/steps/${id}`, { headers, data: { steps } })
  await page.reload()
  await expect(stepsOf(page).nth(1)).toContainText('2 callouts proposed')

  await page.getByRole('button', { name: /^Edit step 2:/ }).click()
  const editor = page.getByRole('form', { name: /^Edit step/ })
  await expectAccessible(page, 'proposed callouts')
  await editor.getByRole('button', { name: `Use callout: ${PROPOSED[0]?.text}` }).press('Enter')
  await editor.getByRole('button', { name: `Leave out callout: ${PROPOSED[1]?.text}` }).press('Enter')
  const savedStep = async () => ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`)).module.steps[1]
  await expect
    .poll(savedStep)
    .toMatchObject({ callouts: [{ kind: 'warning', text: PROPOSED[0]?.text }], proposedCallouts: [] })

  const learner = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage()
  for (const address of [`/share/${id}`, `/embed/${id}`]) {
    await expect(async () => {
      await learner.goto(address)
      await expect(stepsOf(learner).nth(1)).toContainText(/^warning: Careful, the cover is sharp\.2/i, {
        timeout: 1_000,
      })
    }).toPass()
  }
  await learner.goto(`/share/${id}`)
  await expectAccessible(learner, 'callouts on the share page')
  await expectReflow(learner, 'callouts on the share page')
  await learner.context().close()
})
