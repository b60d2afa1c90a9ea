import { type Browser, expect, type Page, test } from '@playwright/test'
import { directionOf, INTERFACE_LANGUAGES, LANGUAGES } from '#contract/languages.ts'
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
