import { expect, type Page, test } from '@playwright/test'
import { openSample } from './sample-module.ts'
import { stepsOf } from './training.ts'

/**
 * Targets smaller than 24 × 24 px, the least of WCAG 2.2, 2.5.8. Of its exceptions one is used: a link inside a sentence is
 * as high as its line (Inline). A checkbox is as large as its label, which can be pressed too. What a screen reader alone
 * sees has no size.
 */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST_PX = 24
    const roles = ['button', 'link', 'switch', 'slider', 'menuitem', 'tab', 'checkbox', 'combobox']
    const kinds = [
      'a[href]',
      'button',
      'input',
      'select',
      'textarea',
      'summary',
      ...roles.map((role) => `[role=${role}]`),
    ]
    const isInSentence = (element: Element) => {
      const text = (one: Element | null) => one?.textContent?.trim() ?? ''
      const isInline = element.tagName === 'A' && getComputedStyle(element).display === 'inline'
      return isInline && text(element.parentElement).length > text(element).length
    }
    return [...document.querySelectorAll<HTMLElement>(kinds.join())].flatMap((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      const isHidden = !element.checkVisibility({ visibilityProperty: true }) || width <= 1 || height <= 1
      if (isHidden || element.closest('[aria-hidden=true], [inert]') !== null || isInSentence(element)) return []
      // Half a pixel may be lost where a page is laid out in fractions.
      if (width >= LEAST_PX - 0.5 && height >= LEAST_PX - 0.5) return []
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      return [
        `${element.tagName.toLowerCase()} “${name.slice(0, 60)}” is ${Math.round(width)} × ${Math.round(height)} px`,
      ]
    })
  })
}

test('every target is at least 24 px wide and high on a phone', async ({ page, browser, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const id = await openSample(page)
  const expectLarge = (what: string, of: Page = page) =>
    expect.poll(() => findSmallTargets(of), { message: what }).toEqual([])

  await test.step('training', async () => {
    await expectLarge('training')
    const rename = await page.getByRole('button', { name: 'Rename this module' }).boundingBox()
    expect(Math.min(rename?.width ?? 0, rename?.height ?? 0)).toBeGreaterThanOrEqual(24)
    await page.getByRole('button', { name: 'Rename this module' }).click()
    await expectLarge('training, renamed')
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Your question' }).click()
    await expect(page.getByRole('region', { name: 'Conversation' })).toBeVisible()
    await expectLarge('training with the tutor')
    await page.getByRole('button', { name: 'Share', exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectLarge('share dialog')
    await page.keyboard.press('Escape')
  })
  await test.step('a step that is edited', async () => {
    await page.getByRole('button', { name: /^Edit step 1:/ }).click()
    await expect(page.getByRole('form', { name: /^Edit step/ })).toBeVisible()
    await expectLarge('step editor')
  })
  await test.step('all steps', async () => {
    await page.goto(`/edit-steps/${id}`)
    await expect(page.getByRole('button', { name: /^Edit step 1:/ })).toBeVisible()
    await page.getByRole('button', { name: 'Add Step' }).click()
    await expectLarge('all steps')
  })
  await test.step('dashboard', async () => {
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: /^Start Training/ })).toBeVisible()
    await expectLarge('dashboard')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expectLarge('dashboard as a list')
    await page.getByRole('button', { name: /^More: / }).click()
    await expectLarge('menu of a card')
  })
  await test.step('what a learner has', async () => {
    const learner = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await learner.setViewportSize({ width: 390, height: 844 })
    await learner.goto(`/share/${id}`)
    await expect(stepsOf(learner).first()).toBeVisible()
    await expect(learner.getByRole('region', { name: /^Video player/ })).toBeVisible()
    await expectLarge('share page', learner)
    await learner.context().close()
  })
})
