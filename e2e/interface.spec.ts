import { type Browser, expect, type Page, test } from '@playwright/test'
import { directionOf, INTERFACE_LANGUAGES, LANGUAGES } from '#contract/languages.ts'
import { FAKE_ID, FAKE_STEP, fakeConversation, fakeModule, fakeSteps } from './fake-module.ts'
import { createAccount } from './people.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { textOf } from './text-of.ts'

async function openIn(browser: Browser, locale: string, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ locale, ...(baseURL && { baseURL }) })
  return context.newPage()
}

/** Writes every text of a page 40 % longer, as other languages do, with letters that are no wider than its own. */
async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      const words = (text.nodeValue ?? '').split(' ')
      const isShown = (text.parentElement?.closest('script, style') ?? null) === null
      if (isShown && /\p{L}{2}/u.test(text.nodeValue ?? ''))
        text.nodeValue = [...words, ...words.slice(0, Math.ceil(words.length * 0.4))].join(' ')
    }
  })
}

/** Where the tip of the chevron before a text that opens is drawn: to the left or right of its ends, above or below. */
function pointOf(page: Page): Promise<{ x: number; y: number }> {
  const path = page.locator('summary .lucide-chevron-right path').first()
  return path.evaluate((shape: SVGPathElement) => {
    const matrix = shape.getScreenCTM()
    const tip = new DOMPoint(15, 12).matrixTransform(matrix ?? undefined)
    const ends = new DOMPoint(9, 12).matrixTransform(matrix ?? undefined)
    return { x: Math.round(tip.x - ends.x), y: Math.round(tip.y - ends.y) }
  })
}

let trainer: Page
let id: string

test.beforeAll(async ({ browser, baseURL }) => {
  trainer = await openIn(browser, 'en-US', baseURL)
  id = await makeSample(trainer)
})
test.afterAll(() => trainer.context().close())

test('the app is in the language of its browser, and in another one where a person chooses it', async ({
  browser,
  baseURL,
}) => {
  const page = await openIn(browser, 'de-AT', baseURL)
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('link', { name: textOf('de', 'sign_in_link') }).first()).toBeVisible()
  await expectAccessible(page, 'landing in German')
  await expectReflow(page, 'landing in German')
  await page.goto('/sign-in')
  await expect(page.getByText('E-Mail-Adresse').first()).toBeVisible()

  await createAccount(page.request)
  const problem = { type: 'x', title: 'x', status: 503, code: 'unavailable', detail: 'Busy.', requestId: 'x' }
  const json = { ...problem, success: false, error: problem.detail }
  await page.route(/\/api\/modules\?/, (route) => route.fulfill({ status: 503, json }))
  await page.goto('/dashboard')
  await expect(page.getByRole('alert')).toContainText(textOf('de', 'problem_unavailable'))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('combobox', { name: textOf('de', 'language_of_app') }).selectOption({ label: LANGUAGES.tr })
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  // A training that is in one language is within a page of theirs.
  await page.goto(`/share/${id}`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await expect(page.getByRole('button', { name: textOf('tr', 'keep_on_this_phone') })).toBeVisible()
  await expect(page.locator('#step-1')).toHaveAttribute('lang', 'en')
  await page.context().close()
})

test('Arabic is written from right to left on every page', async ({ browser, baseURL }) => {
  const page = await openIn(browser, 'ar', baseURL)
  await createAccount(page.request)
  for (const path of ['/', '/dashboard', '/upload', '/collections', '/account', '/kept', `/training/${id}`]) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expectReflow(page, `${path} in Arabic`)
  }
  await expectAccessible(page, 'a training in Arabic')
  await page.goto(`/share/${id}`)
  await expect(page.getByRole('heading', { name: textOf('ar', 'how_to_use') })).toBeVisible()
  await expectAccessible(page, 'a shared training in Arabic')
  await expectReflow(page, 'a shared training in Arabic')
  await page.goto(`/share/${id}?follow=1`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'follow along in Arabic')
  await expectReflow(page, 'follow along in Arabic')
  await page.goto(`/share/${id}/print?lang=ar`)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByText(textOf('ar', 'page_print_hint'))).toBeVisible()
  await expect(page.locator('li[lang=en]').first()).toBeVisible()
  await page.context().close()
})

test('in Arabic, what can be opened points to the left, and down once it is open', async ({ browser, baseURL }) => {
  const page = await openIn(browser, 'ar', baseURL)
  await createAccount(page.request)
  await fakeModule(page)
  await fakeSteps(page, [{ ...FAKE_STEP, notes: 'It stays in.' }])
  await page.goto(`/training/${FAKE_ID}`)
  const note = page.getByText(textOf('ar', 'teaching_note'), { exact: true })
  await expect(note).toBeVisible()
  expect(await pointOf(page)).toEqual({ x: -4, y: 0 })
  await note.click()
  await expect.poll(() => pointOf(page)).toEqual({ x: 0, y: 4 })
  await page.context().close()
})

test('in Arabic, what is written in English keeps its direction, so that its marks stand at its ends', async ({
  browser,
  baseURL,
}) => {
  const page = await openIn(browser, 'ar', baseURL)
  await createAccount(page.request)
  await fakeModule(page)
  const fields = { turnId: 'turn-0001', timestamp: '2026-11-21T10:00:00.000Z', isTyping: false, meta: null }
  await fakeConversation(page, [
    { ...fields, id: 'q', role: 'user', content: 'What about the gasket?', end: null },
    { ...fields, id: 'a', role: 'assistant', content: 'It stays in.', end: 'complete' },
  ])
  await page.goto(`/training/${FAKE_ID}`)
  for (const text of ['What about the gasket?', 'It stays in.', 'Close the valve.'])
    await expect(page.getByText(text, { exact: true }).first()).toHaveCSS('direction', 'ltr')
  await page.context().close()
})

test('every language has its first page, its sign-in and its share page', async ({ browser, baseURL }) => {
  for (const tag of INTERFACE_LANGUAGES) {
    const page = await openIn(browser, tag, baseURL)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await page.goto(`/share/${id}`)
    await expect(page.getByRole('heading', { name: textOf(tag, 'how_to_use') })).toBeVisible()
    const direction = await page.evaluate(() => getComputedStyle(document.body).direction)
    expect(direction).toBe(directionOf(tag))
    await page.context().close()
  }
})

test('texts that are 40 % longer have room', async () => {
  for (const path of [
    '/',
    '/dashboard',
    '/upload',
    '/account',
    `/training/${id}`,
    `/edit-steps/${id}`,
    `/share/${id}`,
  ]) {
    await trainer.goto(path)
    await expect(trainer.getByRole('heading').first()).toBeVisible()
    await trainer.waitForLoadState('networkidle')
    await lengthenTexts(trainer)
    await expectReflow(trainer, `${path} with longer texts`)
  }
})
