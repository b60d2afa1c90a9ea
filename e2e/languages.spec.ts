import { type Browser, expect, type Page, test } from '@playwright/test'
import { LanguagesAnswer } from '#contract/translation.ts'
import { createAccount, tokenOf } from './people.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql } from './seed-modules.ts'
import { makeSpokenModule } from './spoken-module.ts'
import { textOf } from './text-of.ts'

const LINES = [
  'First open the lid of the printer and wait 12 seconds.',
  'Then press the green button on the right side.',
  'Finally close the door and turn the key.',
]

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this training' })
const spanish = (page: Page) => dialog(page).getByRole('switch', { name: 'Español' })

async function callAs(page: Page, path: string, { method, data }: { method: string; data?: object }) {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const answer = await page.request.fetch(path, { method, headers, ...(data && { data }) })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as unknown
}

/** Waits until nothing is left to translate. */
async function untilTranslated(page: Page, id: string): Promise<void> {
  await expect(async () => {
    const { languages } = LanguagesAnswer.parse(await callAs(page, `/api/modules/${id}/languages`, { method: 'GET' }))
    const status = languages.find(({ tag }) => tag === 'es')
    expect(status).toMatchObject({ isOn: true, isInProgress: false, failure: null })
    expect((status?.done ?? 0) + (status?.keptBack ?? 0)).toBe(status?.total)
  }).toPass({ timeout: 60_000 })
}

async function openLanguages(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Share: / }).click()
  await dialog(page).getByRole('button', { name: 'Languages' }).click()
  await expect(spanish(page)).toBeVisible()
}

/** A phone whose person reads this language, without an account. */
async function openPhone(browser: Browser, options: { baseURL: string | undefined; locale: string; noScript?: true }) {
  const { baseURL = '', locale, noScript } = options
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ baseURL, locale, viewport, javaScriptEnabled: noScript !== true })
  return context.newPage()
}

test('a Spanish phone opens an English training in Spanish, and its owner corrects a step', async ({
  page: owner,
  browser,
  baseURL,
}) => {
  await createAccount(owner.request)
  const id = await makeSpokenModule(owner, LINES)
  await test.step('the owner switches Spanish on', async () => {
    await openLanguages(owner)
    await expect(spanish(owner)).toHaveAccessibleDescription('Costs nothing.')
    await expectAccessible(owner, 'share dialog with languages')
    await spanish(owner).click()
    await expect(spanish(owner)).toBeChecked()
    await untilTranslated(owner, id)
  })

  const learner = await openPhone(browser, { baseURL, locale: 'es-MX' })
  await test.step('the first paint is in Spanish', async () => {
    const unscripted = await openPhone(browser, { baseURL, locale: 'es-MX', noScript: true })
    await unscripted.goto(`/share/${id}`)
    await expect(unscripted.locator('html')).toHaveAttribute('lang', 'es')
    await unscripted.context().close()
    await learner.goto(`/share/${id}`)
    await expect(learner.getByText(/el botón verde/i).first()).toBeVisible()
    await expect(learner.getByRole('navigation', { name: textOf('es', 'languages') })).toContainText(
      textOf('es', 'page_roughly_translated_by', { engine: 'Apertium' }),
    )
    await expectAccessible(learner, 'share page in Spanish')
    await expectReflow(learner, 'share page in Spanish')
  })
  await test.step('the original stands beside it on wish', async () => {
    const beside = learner.getByRole('button', { name: textOf('es', 'show_original_too') })
    await beside.click()
    await expect(learner.locator('li [lang=en]').first()).toContainText('Open the lid of the printer')
    await expectAccessible(learner, 'share page in two languages')
    await expectReflow(learner, 'share page in two languages')
    await beside.click()
    await expect(learner.locator('li [lang=en]')).toHaveCount(0)
    await learner.route('**/api/share/*', (route) => route.abort(), { times: 1 })
    await beside.click()
    await expect(learner.getByText(textOf('es', 'the_original_could_not_be'))).toBeVisible()
  })
  await test.step('paper and captions are in Spanish too', async () => {
    const captions = await (await learner.request.get(`/share/${id}/captions.vtt?lang=es`)).text()
    expect(captions).toMatch(/botón verde/i)
    const print = await learner.request.get(`/share/${id}/print?lang=es`)
    expect(await print.text()).toContain('<html lang="es">')
  })
  await test.step('the original is one tap away, and kept', async () => {
    await learner.getByRole('link', { name: 'English (original)' }).click()
    await expect(learner.locator('html')).toHaveAttribute('lang', 'en')
    await learner.goto(`/share/${id}`)
    await expect(learner.locator('html')).toHaveAttribute('lang', 'en')
    await learner.getByRole('link', { name: 'Español' }).click()
    await expect(learner.locator('html')).toHaveAttribute('lang', 'es')
    await learner.context().close()
  })

  const own = 'Abra la tapa de la impresora'
  await test.step("a person's correction is what learners read", async () => {
    await openLanguages(owner)
    await dialog(owner).getByRole('button', { name: 'Review Español' }).click()
    const title = dialog(owner).getByRole('group', { name: /^Title/ })
    await title.getByRole('textbox').fill(own)
    await title.getByRole('button', { name: /^Save ?: Title$/ }).click()
    await expect(dialog(owner).getByRole('group', { name: 'Title (approved)' })).toBeVisible()
    await expectAccessible(owner, 'editor of a translation')
    const read = await owner.request.get(`/api/share/${id}?lang=es`)
    expect(await read.json()).toMatchObject({ module: { title: own } })
  })
  await test.step('once the source has changed, the owner sees both', async () => {
    await callAs(owner, `/api/modules/${id}`, { method: 'PATCH', data: { title: 'Open the cover of the printer' } })
    await untilTranslated(owner, id)
    await openLanguages(owner)
    await dialog(owner).getByRole('button', { name: 'Review Español' }).click()
    const title = dialog(owner).getByRole('group', { name: /^Title/ })
    await expect(title).toContainText(`The source has changed. You had written: ${own}`)
    await expect(title.getByRole('textbox', { name: 'Open the cover of the printer' })).not.toHaveValue(own)
    await expectReflow(owner, 'editor of a translation')
  })
})

test('a training in Arabic is read from right to left, on the page and on paper', async ({
  page,
  browser,
  baseURL,
}) => {
  const id = await makeSample(page)
  await runSql(baseURL ?? '', `UPDATE modules SET languages = '["ar"]' WHERE id = ?1`, [id])
  const path = `/api/modules/${id}/translations/ar`
  await page.goto('/dashboard')
  const { items } = (await callAs(page, path, { method: 'GET' })) as { items: { item: string; source: string[] }[] }
  for (const { item, source } of items.filter((each) => !each.item.startsWith('captions:'))) {
    const texts = source.map((text) => (text === '' ? '' : 'افتح الغطاء وانتظر حتى ينطفئ الضوء'))
    await callAs(page, path, { method: 'PUT', data: { item, texts } })
  }
  const learner = await openPhone(browser, { baseURL, locale: 'ar-EG' })
  await learner.goto(`/share/${id}`)
  await expect(learner.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(learner.getByRole('heading', { level: 1 })).toHaveText('افتح الغطاء وانتظر حتى ينطفئ الضوء')
  await expect(learner.getByRole('navigation', { name: textOf('ar', 'languages') })).toContainText(
    textOf('ar', 'page_translation_approved'),
  )
  await expectAccessible(learner, 'share page in Arabic')
  await expectReflow(learner, 'share page in Arabic')
  await learner.goto(`/share/${id}/print?lang=ar`)
  await expect(learner.locator('html')).toHaveAttribute('dir', 'rtl')
  await expectAccessible(learner, 'printed page in Arabic')
  await learner.context().close()
})
