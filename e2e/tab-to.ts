import { expect, type Locator, type Page } from '@playwright/test'

/** More than any page has places to stop at. */
const TABS_MAX = 80

/** Moves on with Tab until it is there, and sees that the place is marked; fails when the keyboard does not reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' })
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return expectMarked(page)
  }
  throw new Error(`the keyboard does not reach ${target.toString()}`)
}

/** The focus is visible: an outline or a ring on what has it, or on what holds it. */
async function expectMarked(page: Page): Promise<void> {
  const isMarked = await page.evaluate(() => {
    for (let element = document.activeElement; element && element !== document.body; element = element.parentElement) {
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      if (outlineStyle !== 'none' || boxShadow !== 'none') return true
    }
    return false
  })
  expect(isMarked).toBe(true)
}
