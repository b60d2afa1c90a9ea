import { expect, type Locator, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import type { Step } from '#contract/step.ts'
import { apiOf } from './people.ts'
import { makeSample, openSample } from './sample-module.ts'
import { expectAccessible } from './screen.ts'
import { seekVideo, stepsOf, watchJumps } from './training.ts'

async function savedSteps(page: Page, id: string): Promise<Step[]> {
  return ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`)).module.steps
}

const editButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Edit step ${number}:`) })
const editor = (page: Page) => page.getByRole('form', { name: /^Edit step/ })
const textbox = (page: Page, name: string): Locator => editor(page).getByRole('textbox', { name, exact: true })
const titles = (steps: Step[]) => steps.map((step) => step.title)

async function openEditor(page: Page, number: number) {
  await editButton(page, number).click()
  await expect(textbox(page, 'Title')).toBeFocused()
}

/** As the fields of times have it; the sample is under a minute long, or a few. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Waits for a status that is shown for a moment only; the page itself looks, in every frame. */
async function untilSaid(page: Page, status: string): Promise<void> {
  await page.waitForFunction(
    (said) => [...document.querySelectorAll('form [role=status]')].some((one) => one.textContent?.trim() === said),
    status,
  )
}

test('an owner edits a step beside its video, and what is typed is there after a reload', async ({ page }) => {
  const id = await openSample(page)
  const before = await savedSteps(page, id)

  await test.step('what is valid is saved by itself', async () => {
    await openEditor(page, 2)
    const hasSaid = untilSaid(page, 'Saved')
    await textbox(page, 'Title').fill('Turn the printer off')
    await textbox(page, 'Aliases').fill('power, switch')
    await hasSaid
    await expect(editor(page).getByText('Saved')).toBeHidden()
    await expect.poll(async () => (await savedSteps(page, id))[1]).toMatchObject({ aliases: ['power', 'switch'] })
    await page.reload()
    await expect(stepsOf(page).nth(1)).toContainText('Turn the printer off')
  })

  await test.step('what is not stays unsaved', async () => {
    await openEditor(page, 3)
    await textbox(page, 'Title').fill('ab')
    await expect(editor(page).getByText('Unsaved (1 error)')).toBeVisible()
    await expect(editor(page).getByText('Title must be at least 3 characters')).toBeVisible()
    await editor(page).getByRole('button', { name: 'Save (1 error)' }).click()
    await expect(textbox(page, 'Title')).toBeFocused()
    expect(titles(await savedSteps(page, id))[2]).toBe(before[2]?.title)
    await editor(page).getByRole('button', { name: 'Discard changes' }).click()
    await expect(editButton(page, 3)).toBeFocused()
  })

  await test.step('times come from the video', async () => {
    await seekVideo(page, 15)
    await openEditor(page, 3)
    await editor(page).getByRole('button', { name: 'Use current time as start' }).click()
    await expect(textbox(page, 'Start')).toHaveValue('00:15')
    await editor(page).getByRole('button', { name: 'Move start one second earlier' }).click()
    await expect(textbox(page, 'Start')).toHaveValue('00:14')
    const jumps = await watchJumps(page)
    await editor(page).getByRole('button', { name: 'Preview this range' }).click()
    await expect.poll(jumps).toContain(14)
    await editor(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(editor(page)).toBeHidden()
    await expect.poll(async () => (await savedSteps(page, id))[2]?.start).toBe(14)
  })
})

test('a list is rearranged by keyboard, by mouse, and with buttons', { tag: '@spec-4.20' }, async ({ page }) => {
  const id = await openSample(page)
  const [first = '', second = '', third = ''] = titles(await savedSteps(page, id))
  const order = async () => titles(await savedSteps(page, id)).slice(0, 3)

  await test.step('by keyboard', async () => {
    await page.getByRole('button', { name: /^Reorder step 1:/ }).focus()
    await page.keyboard.press('Space', { delay: 80 })
    await expect(page.getByText(/Picked up/)).toBeAttached()
    await page.keyboard.press('ArrowDown', { delay: 80 })
    await expect(page.getByText(/is over position 2/)).toBeAttached()
    await page.keyboard.press('Space', { delay: 80 })
    await expect.poll(order).toEqual([second, first, third])
    await expect(page.getByRole('button', { name: /^Reorder step 2:/ })).toBeFocused()
  })

  await test.step('by mouse', async () => {
    // The rows still move to their places; the mouse goes where they stand.
    const handle = page.getByRole('button', { name: /^Reorder step 3:/ })
    await handle.hover()
    const from = await handle.boundingBox()
    const to = await page.getByRole('button', { name: /^Reorder step 1:/ }).boundingBox()
    if (from === null || to === null) throw new Error('no handles')
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y - 20, { steps: 5 })
    await page.mouse.move(to.x + 8, to.y, { steps: 10 })
    await expect(page.getByText(/is over position 1/)).toBeAttached()
    await page.mouse.up()
    await expect.poll(order).toEqual([third, second, first])
  })

  await test.step('with buttons', async () => {
    await openEditor(page, 1)
    await editor(page).getByRole('button', { name: 'Move down' }).click()
    await expect.poll(order).toEqual([second, third, first])
    await expect(editor(page).getByRole('button', { name: 'Move down' })).toBeFocused()
  })
})

test('steps are deleted and brought back, split, merged and added', { tag: '@spec-2.41' }, async ({ page }) => {
  const id = await openSample(page)
  const before = await savedSteps(page, id)
  const count = before.length

  await test.step('delete and undo', async () => {
    await openEditor(page, 2)
    await editor(page).getByRole('button', { name: 'Delete' }).click()
    await expect(stepsOf(page)).toHaveCount(count - 1)
    await expect.poll(async () => (await savedSteps(page, id)).length).toBe(count - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(stepsOf(page)).toHaveCount(count)
    await expect.poll(() => savedSteps(page, id)).toEqual(before)
  })

  const long = before.findIndex((step) => step.end - step.start >= 11)
  const step = before[long]
  if (step === undefined) throw new Error('no step can be split')

  await test.step('split at the playhead', async () => {
    await seekVideo(page, step.start + 5.5)
    await openEditor(page, long + 1)
    await editor(page)
      .getByRole('button', { name: /Split at playhead/ })
      .click()
    await expect(stepsOf(page)).toHaveCount(count + 1)
    await expect(textbox(page, 'Title')).toHaveValue(/\(part 2\)$/)
    await editor(page).getByRole('button', { name: 'Close the editor' }).click()
    await expect.poll(async () => (await savedSteps(page, id)).length).toBe(count + 1)
    const halves = (await savedSteps(page, id)).slice(long, long + 2)
    expect(halves[0]?.end).toBe(halves[1]?.start)
    expect(halves[1]?.end).toBe(step.end)
  })

  await test.step('merge with the next', async () => {
    await openEditor(page, long + 1)
    await editor(page).getByRole('button', { name: 'Merge with next' }).click()
    await expect(stepsOf(page)).toHaveCount(count)
    await expect
      .poll(async () => (await savedSteps(page, id))[long])
      .toMatchObject({ start: step.start, end: step.end })
  })

  await test.step('add what is missing', async () => {
    const form = page.getByRole('form', { name: 'Need to add a missing step?' })
    await seekVideo(page, 20)
    await expect(form.getByRole('textbox', { name: 'Start' })).toHaveValue('00:20')
    await expect(form.getByRole('textbox', { name: 'End' })).toHaveValue('00:50')
    await form.getByRole('textbox', { name: 'Title' }).fill('Check the seal')
    await form.getByRole('checkbox', { name: 'This was missed in the video' }).check()
    await form.getByRole('button', { name: 'Add step' }).click()
    await expect(stepsOf(page)).toHaveCount(count + 1)
    const added = async () => (await savedSteps(page, id)).find((one) => one.title === 'Check the seal')
    await expect.poll(added).toMatchObject({ start: 20, end: 50, isManual: true })
  })
})

test('a text before an AI rewrite is one click away, also after a reload', async ({ page }) => {
  const id = await openSample(page)
  const said = 'Um, so now you, you know, press the the green button, and the light goes on.'
  const description = async () => (await savedSteps(page, id))[1]?.description
  await openEditor(page, 2)
  await textbox(page, 'Description').fill(said)
  await expect.poll(description).toBe(said)
  await editor(page).getByRole('button', { name: 'AI rewrite' }).click()
  await editor(page).getByRole('button', { name: 'Keep' }).click()
  await expect(textbox(page, 'Description')).not.toHaveValue(said)
  const rewritten = await textbox(page, 'Description').inputValue()
  expect(rewritten).not.toMatch(/um|you know/i)
  await expect.poll(description).toBe(rewritten)

  await page.reload()
  await openEditor(page, 2)
  await expect(textbox(page, 'Description')).toHaveValue(rewritten)
  await expect(editor(page).getByText('Before the AI rewrite')).toBeVisible()
  await expect(editor(page).getByText(said)).toBeVisible()
  await editor(page).getByText('What is said in this step').click()
  await expect(editor(page).getByRole('blockquote')).toBeVisible()
  await expectAccessible(page, 'a text before its rewrite')
  await editor(page).getByRole('button', { name: 'Use this text again' }).click()
  await expect(textbox(page, 'Description')).toHaveValue(said)
  await expect(textbox(page, 'Description')).toBeFocused()
  await expect(editor(page).getByText('Before the AI rewrite')).toBeHidden()
  await expect.poll(description).toBe(said)
})

test('a step is added alike beside the video and among all steps: times, mark, counters and place', async ({
  page,
}) => {
  const id = await openSample(page)
  const before = await savedSteps(page, id)
  const last = before.at(-1)
  if (last === undefined) throw new Error('the sample has no steps')
  const places = async () => (await savedSteps(page, id)).map(({ start }) => start)
  const expectNew = async (form: Locator, count: string) => {
    await expect(form.getByRole('textbox', { name: 'Start' })).toHaveValue('00:12')
    await expect(form.getByRole('textbox', { name: 'End' })).toHaveValue('00:42')
    await expect(form.getByRole('checkbox', { name: 'This was missed in the video' })).toBeChecked()
    await form.getByRole('textbox', { name: 'Title' }).fill('x'.repeat(100))
    await expect(form.getByText('100 of 99')).toBeVisible()
    await expect(form.getByText('Title must be under 100 characters')).toBeVisible()
    await expect(form.getByText(count)).toBeVisible()
    await form.getByRole('textbox', { name: 'End' }).fill('59:00')
    await expect(form.getByText('End time is after the end of the video')).toBeVisible()
    await form.getByRole('textbox', { name: 'Title' }).fill('Before the last')
    await form.getByRole('textbox', { name: 'Start' }).fill(clock(last.start - 1))
    await form.getByRole('textbox', { name: 'End' }).fill(clock(last.start + 5))
  }

  await test.step('beside the video', async () => {
    await seekVideo(page, 12)
    const form = page.getByRole('form', { name: 'Need to add a missing step?' })
    await expectNew(form, 'Optional here, 0 of 499')
    await form.getByRole('button', { name: 'Add step' }).click()
    await expect.poll(async () => titles(await savedSteps(page, id)).at(-2)).toBe('Before the last')
  })

  await test.step('among all steps', async () => {
    await page.getByRole('link', { name: 'Edit all steps' }).click()
    // After the address has changed, the video is for a moment still that of the page before.
    await expect(page.getByRole('heading', { name: 'Edit steps' })).toBeVisible()
    await expect(page).toHaveURL(`/edit-steps/${id}`)
    await seekVideo(page, 12)
    await page.getByRole('button', { name: 'Add Step' }).click()
    await expectNew(editor(page), '0 of 499')
    await textbox(page, 'Description').fill('What is done before the last step.')
    await editor(page).getByRole('button', { name: 'Done' }).click()
    await expect(editButton(page, before.length + 1)).toHaveAccessibleName(/: Before the last$/)
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page).toHaveURL('/dashboard')
    expect(await places()).toEqual((await places()).toSorted((a, b) => a - b))
    expect(await savedSteps(page, id)).toHaveLength(before.length + 2)
  })
})

test('two people who edit the same step are shown both versions', async ({ page, context }) => {
  const id = await openSample(page)
  const other = await context.newPage()
  await other.goto(`/training/${id}`)
  await openEditor(page, 1)
  await textbox(page, 'Title').fill('ab')
  await openEditor(other, 1)
  await textbox(other, 'Title').fill('By the other person')
  await textbox(other, 'Title').press('Enter')
  await expect(editor(other)).toBeHidden()
  await textbox(page, 'Title').fill('By me')
  const dialog = page.getByRole('dialog', { name: 'Someone else saved these steps first' })
  await expect(dialog.getByRole('region', { name: 'Your version' })).toContainText('By me')
  await expect(dialog.getByRole('region', { name: 'Current version' })).toContainText('By the other person')
  await expectAccessible(page, 'conflict')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(async () => titles(await savedSteps(page, id))[0]).toBe('By me')
  await expect(stepsOf(other).first()).toContainText('By me')
})

test('all steps are changed together, and Save Changes ends at the dashboard', { tag: '@spec-2.43' }, async ({
  page,
}) => {
  const id = await openSample(page)
  await page.getByRole('link', { name: 'Edit all steps' }).click()
  await expect(page).toHaveURL(`/edit-steps/${id}`)
  const count = (await savedSteps(page, id)).length

  await test.step('errors are counted and shown beside their fields', async () => {
    await openEditor(page, 1)
    await textbox(page, 'Title').fill('')
    await textbox(page, 'End').fill('soon')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('button', { name: 'Save Changes (2 errors)' })).toBeVisible()
    await expect(textbox(page, 'Title')).toBeFocused()
    await expect(editor(page).getByText('Invalid time format (use mm:ss)')).toBeVisible()
    await expectAccessible(page, 'errors')
  })

  await test.step('leaving asks first', async () => {
    await page.getByRole('link', { name: 'Back to training' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(question).toBeVisible()
    await expectAccessible(page, 'leave')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page).toHaveURL(`/edit-steps/${id}`)
  })

  await test.step('everything is saved at once', async () => {
    await textbox(page, 'Title').fill('Get to know the printer')
    await textbox(page, 'End').fill('00:08')
    await editor(page).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Delete step 2:/ }).click()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page).toHaveURL('/dashboard')
    const steps = await savedSteps(page, id)
    expect(steps).toHaveLength(count - 1)
    expect(steps[0]).toMatchObject({ title: 'Get to know the printer', end: 8 })
  })

  await test.step('all are deleted after a question', async () => {
    await page.goto(`/edit-steps/${id}`)
    await page.getByRole('button', { name: 'Delete All Steps' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete all steps?' })
    await question.getByRole('button', { name: 'Delete All Steps' }).click()
    await expect(page.getByText('There are no steps yet.')).toBeVisible()
    // The page shows it before the server has answered.
    await expect.poll(() => savedSteps(page, id)).toEqual([])
    await page.reload()
    await expect(page.getByText('There are no steps yet.')).toBeVisible()
  })
})

test('a step is edited with the keyboard alone, from the address that the dashboard leads to', {
  tag: '@spec-2.39',
}, async ({ page }) => {
  const id = await makeSample(page)
  await page.goto(`/training/${id}#step-1`)
  await expect(textbox(page, 'Title')).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Typed by hand')
  await page.keyboard.press('Enter')
  await expect(editor(page)).toBeHidden()
  await expect(editButton(page, 1)).toBeFocused()
  await expect.poll(async () => titles(await savedSteps(page, id))[0]).toBe('Typed by hand')
  await expect(editButton(page, 1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(textbox(page, 'Title')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(textbox(page, 'Description')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editButton(page, 1)).toBeFocused()
})

test('no state of the editor has an accessibility fault', async ({ page }) => {
  const id = await openSample(page)
  await expectAccessible(page, 'list')
  await page.route('**/rewrite', (route) => route.fulfill({ json: { success: true, text: 'A better sentence.' } }))
  await openEditor(page, 2)
  await editor(page).getByRole('button', { name: 'AI rewrite' }).click()
  await expect(editor(page).getByText('A better sentence.')).toBeVisible()
  await textbox(page, 'Title').fill('ab')
  await expect(editor(page).getByText('Unsaved (1 error)')).toBeVisible()
  await expectAccessible(page, 'editor')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page, 'editor on a small screen')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await editor(page).getByRole('button', { name: 'Discard changes' }).click()
  await page.goto(`/edit-steps/${id}`)
  await expect(editButton(page, 1)).toBeVisible()
  await expectAccessible(page, 'edit all steps')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: 'Delete All Steps' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Delete all steps?' })).toBeVisible()
  await expectAccessible(page, 'delete all')
})
