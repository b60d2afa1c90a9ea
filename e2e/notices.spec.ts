import { expect, type Locator, type Page, test } from '@playwright/test'
import { openSample } from './sample-module.ts'
import { stepsOf, untilReady } from './training.ts'

const PHONE = { width: 390, height: 844 }
/** As high as the keyboard of a phone of that size with its row of suggestions. */
const KEYBOARD_PX = 336

/** Lets the page see what a phone's keyboard leaves of the window, as Chrome and Safari report it. */
async function openKeyboard(page: Page): Promise<void> {
  await page.evaluate((keyboardPx) => {
    Object.defineProperty(VisualViewport.prototype, 'height', { get: () => window.innerHeight - keyboardPx })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  }, KEYBOARD_PX)
}

/** What the messages on the screen do to a field: cover it, or lie where they cannot be read. */
async function findFaults(field: Locator): Promise<string[]> {
  return field.evaluate((element) => {
    const typed = element.getBoundingClientRect()
    const lowest = window.visualViewport?.height ?? window.innerHeight
    const messages = [...document.querySelectorAll('[data-sonner-toast][data-visible=true]')]
    return messages.flatMap((message) => {
      const { top, bottom, left, right } = message.getBoundingClientRect()
      const covers = top < typed.bottom && bottom > typed.top && left < typed.right && right > typed.left
      const place = `${message.textContent} at ${Math.round(top)}–${Math.round(bottom)}`
      if (covers) return [`${place} covers ${Math.round(typed.top)}–${Math.round(typed.bottom)}`]
      return top < 0 || bottom > lowest ? [`${place} is out of sight`] : []
    })
  })
}

/** A message that moved as it was pressed would not be pressed. */
async function pressUndo(page: Page): Promise<void> {
  const count = await stepsOf(page).count()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(stepsOf(page)).toHaveCount(count + 1)
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test('no message covers the field that a person types in, on a phone with its keyboard', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openSample(page)
  const failure = page.getByText('Failed to save step. Please try again.')
  await page.route('**/api/steps/*', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'broken' }) : route.fallback(),
  )
  await page.getByRole('button', { name: /^Edit step 1:/ }).click()
  const editor = page.getByRole('form', { name: /^Edit step/ })
  await openKeyboard(page)
  for (const name of ['Title', 'Description'] as const) {
    const field = editor.getByRole('textbox', { name, exact: true })
    // Under the bar, where messages appear, lower, and right above the keyboard.
    for (const top of [76, 130, 250, 380]) {
      await field.evaluate((element, to) => window.scrollBy(0, element.getBoundingClientRect().top - to), top)
      await field.press('End')
      await field.press('x')
      await expect(failure.first()).toBeVisible()
      await expect.poll(() => findFaults(field), { message: `${name} at ${top} px` }).toEqual([])
    }
  }
})

test('a message that is there makes way for the field that is tapped, also the tutor’s', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openSample(page)
  await untilReady(page)
  await page.getByRole('button', { name: /^Edit step 2:/ }).click()
  await page
    .getByRole('form', { name: /^Edit step/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Your question' })
  await field.click()
  await openKeyboard(page)
  await field.pressSequentially('Which button?')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect.poll(() => findFaults(field)).toEqual([])
  await pressUndo(page)
})

test('beside a wide screen’s lower corner a message keeps off the field as well', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openSample(page)
  await page.getByRole('button', { name: /^Edit step 2:/ }).click()
  await page
    .getByRole('form', { name: /^Edit step/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Your question' })
  await field.fill('Which button?')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect.poll(() => findFaults(field)).toEqual([])
  await pressUndo(page)
})
