import { devices, expect, type Page, test } from '@playwright/test'
import { createAccount } from './people.ts'
import { readCodes } from './read-codes.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql, seedModules } from './seed-modules.ts'
import { untilTriesEnd } from './until-tries-end.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
test.use(PHONE)

const members = (page: Page) => page.getByRole('region', { name: 'Modules' }).getByRole('heading', { level: 2 })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share this collection' })

async function expectFine(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what)
  await expectReflow(page, what)
}

/** Waits until the server has the order that the page shows. */
async function untilKept(page: Page, act: () => Promise<void>): Promise<void> {
  const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await act()
  await kept
}

test('a trainer makes a collection, and a learner follows it from the code with progress', { tag: '@asked-1' }, async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000)
  const sample = await makeSample(page)
  const [[userId = ''] = []] = await runSql(baseURL ?? '', 'SELECT user_id FROM modules WHERE id = ?1', [sample])
  const [longest = ''] = await seedModules(baseURL ?? '', userId, [
    { title: 'Clean the nozzles of the filling machine without taking its whole front cover off first' },
  ])
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Collections' }).tap()
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible()
  await expectFine(page, 'none')
  await page.getByLabel('New collection').fill('Filling machine, line 4')
  await page.getByRole('button', { name: 'Create' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Filling machine, line 4' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing in it yet' })).toBeVisible()
  await expectFine(page, 'empty')

  await page.getByRole('button', { name: 'Add modules' }).tap()
  for (const _ of [0, 1])
    await untilKept(page, () =>
      page
        .getByRole('button', { name: /^Add: / })
        .first()
        .tap(),
    )
  await expect(page.getByRole('button', { name: /^Added: / })).toHaveCount(2)
  await expectFine(page, 'add')
  await page.keyboard.press('Escape')
  const before = await members(page).allTextContents()
  await untilKept(page, () =>
    page
      .getByRole('button', { name: /^Move down: / })
      .first()
      .tap(),
  )
  await expect(members(page)).toHaveText([...before].reverse())
  // By keyboard alone.
  await page.getByRole('button', { name: /^Reorder module 1/ }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(/^Picked up/)).toBeAttached()
  // The list follows the keys from a moment after it has said that it does; below the last place there is none.
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(/is over position 2/)).toBeAttached({ timeout: 1_000 })
  }).toPass()
  await untilKept(page, () => page.keyboard.press('Space'))
  await expect(members(page)).toHaveText(before)
  await page.reload()
  await expect(members(page)).toHaveText(before)
  await expectFine(page, 'two')

  await page.getByRole('button', { name: 'Share', exact: true }).tap()
  const link = await dialogOf(page).getByRole('textbox', { name: 'Link' }).inputValue()
  const code = dialogOf(page).getByRole('img', { name: 'QR code of the link' })
  expect(await readCodes(await code.screenshot())).toEqual([link])
  await expectFine(page, 'share')

  const learner = await (
    await browser.newContext({ ...devices['Pixel 7'], ...PHONE, baseURL: baseURL ?? '' })
  ).newPage()
  await learner.goto(link)
  await expect(learner.getByRole('listitem')).toHaveCount(2)
  await expect(learner.getByText('0 of 2 completed')).toBeVisible()
  await expectFine(learner, 'learner')
  const [[words = ''] = []] = await runSql(baseURL ?? '', 'SELECT title FROM steps WHERE module_id = ?1 LIMIT 1', [
    sample,
  ])
  await learner.getByRole('searchbox', { name: 'What do you want to do?' }).fill(words)
  const place = learner.locator('#found').getByRole('link', { name: words }).first()
  await place.tap()
  await expect(learner).toHaveURL(new RegExp(`/share/${sample}\\?collection=.*&t=\\d`))
  await learner.getByRole('link', { name: 'Back to Filling machine, line 4' }).tap()
  await expect(place).toBeVisible()
  await place.tap()
  await expect(learner).toHaveURL(/\?collection=/)
  await learner.goBack()
  await expect(place).toBeVisible()
  await expectFine(learner, 'found')
  await learner.getByRole('searchbox').fill('')
  await expect(place).toBeHidden()
  const entry = learner.getByRole('listitem').filter({ has: learner.locator(`a[href^="/share/${sample}"]`) })
  await entry.getByRole('link').tap()
  await expect(learner).toHaveURL(new RegExp(`/share/${sample}\\?collection=`))
  await expect(learner.getByRole('link', { name: 'Back to Filling machine, line 4' })).toBeVisible()
  await learner.getByRole('button', { name: /play/i }).first().tap()
  const seen = () =>
    learner.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('adapt_learned:'))?.[1])
  await expect.poll(seen, { timeout: 60_000 }).toContain('"seen":[[')
  await expectFine(learner, 'training')
  await learner.getByRole('link', { name: 'Back to Filling machine, line 4' }).tap()
  await expect(entry.getByText(/^(\d+% watched|✓ Completed)$/)).toBeVisible()
  await learner.evaluate((id) => {
    localStorage.setItem(`adapt_learned:anyone:${id}`, JSON.stringify({ seen: [[0, 400]], isCompleted: true }))
  }, longest)
  await learner.reload()
  await expect(learner.getByText('1 of 2 completed')).toBeVisible()
  await expectFine(learner, 'progress')

  await untilKept(page, () => dialogOf(page).getByRole('switch').tap())
  await learner.reload()
  await expect(learner.getByText('This training module could not be found or is no longer available.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete', exact: true }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible()
})

test('a list that fails to load is loaded on demand, and one that is not the own is not there', async ({ page }) => {
  await createAccount(page.request)
  await page.clock.install()
  await page.route('**/api/collections', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto('/collections')
  await untilTriesEnd(page, page.getByRole('heading', { name: 'Failed to load collections' }))
  await page.unroute('**/api/collections')
  await page.getByRole('button', { name: 'Try Again' }).tap()
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible()
  await page.goto(`/collections/${'x'.repeat(22)}`)
  await untilTriesEnd(page, page.getByRole('heading', { name: 'Collection Not Found' }))
  await expectFine(page, 'not-found')
})
