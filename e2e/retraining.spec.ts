import { expect, test } from '@playwright/test'
import { expectAccessible, expectReflow } from './screen.ts'
import { sweep } from './sweep.ts'
import { Team } from './team.ts'
import { watch } from './training.ts'

test('after a publish a person is asked for the changed step alone, marked with what it said, and done with it', async ({
  page,
  browser,
}) => {
  const team = await Team.found(page, 'East Works')
  const id = await team.addTraining('Change the filter', ['Open the lid', 'Take the filter out'])
  const anna = await team.addPerson('Anna Berg', [])
  await team.assign(id, { personIds: [anna], rule: { reached: true, confirmed: false, signedOff: false } })
  const path = await team.linkOf(anna)

  const learner = await (await browser.newContext()).newPage()
  const readOwn = async () => {
    const own = (await (await learner.request.get('/api/my?lang=en')).json()) as {
      trainings: { isOpen: boolean; changedSteps: number | null }[]
    }
    return own.trainings.map(({ isOpen, changedSteps }) => ({ isOpen, changedSteps }))
  }
  await learner.goto(path)
  await learner.getByRole('link', { name: 'Begin' }).click()
  await watch(learner, 0, 4.2)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: false, changedSteps: null }])

  await team.saveSteps(id, ['Open the lid', 'Take the red filter out'])
  await team.publishChanged(id)
  await sweep(page)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: true, changedSteps: 1 }])

  await learner.setViewportSize({ width: 320, height: 640 })
  await learner.reload()
  const [lid, filter] = [learner.locator('#step-1'), learner.locator('#step-2')]
  await expect(filter.getByText('Changed', { exact: true })).toBeVisible()
  await expect(lid.getByText('Changed', { exact: true })).toHaveCount(0)
  await filter.getByText('What it said before').click()
  await expect(filter.locator('ins').first()).toHaveText('red')
  await expectReflow(learner, 'a step that is asked again')
  await expectAccessible(learner, 'a step that is asked again')
  await watch(learner, 2, 4.2)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: false, changedSteps: null }])
  await learner.context().close()
})
