import { expect, type Page, test } from '@playwright/test'
import { signUpWith } from './own-modules.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible } from './screen.ts'
import { endModule, seedModules } from './seed-modules.ts'

const FAILED = { title: 'Returns', status: 'FAILED', lastError: 'No narration was found.' } as const
const AT_WORK = { title: 'Reset a PASSWORD', status: 'PROCESSING', progress: 42, message: 'Listening' } as const
const LONG = 'A title that a trainer typed without thinking of those who have to read it on a telephone '
  .repeat(2)
  .trim()

const cards = (page: Page) => page.getByRole('list', { name: 'Training modules' }).getByRole('listitem')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search titles, steps, speech and screens' })

/** Titles as the server has them: the page shows a change before it is saved. */
async function savedTitles(page: Page): Promise<string[]> {
  const { modules } = (await apiOf(page, '/api/modules')) as { modules: { title: string }[] }
  return modules.map(({ title }) => title)
}

/** Lets every call of the list fail or hang. */
async function breakList(page: Page, answer: 'fail' | 'hang'): Promise<{ calls: string[] }> {
  const calls: string[] = []
  await page.route(/\/api\/modules\?/, async (route) => {
    calls.push(`${Date.now()} ${route.request().url()}`)
    if (answer === 'hang') return
    const problem = { type: 'x', title: 'x', status: 503, code: 'unavailable', detail: 'Busy just now.' }
    const json = { ...problem, requestId: 'x', success: false, error: problem.detail }
    await route.fulfill({ status: 503, contentType: 'application/problem+json', json })
  })
  return { calls }
}

/** Scrolls to the end of the list, half a window at a time. @returns how many cards have been drawn, and at once */
function scrollThrough(page: Page, count: number): Promise<{ seen: number; mostAtOnce: number }> {
  return page.evaluate(async (all) => {
    const seen = new Set<string | null>()
    let mostAtOnce = 0
    for (let tries = 0; tries < 3_000 && seen.size < all; tries += 1) {
      const items = document.querySelectorAll('[role=listitem]')
      for (const item of items) seen.add(item.getAttribute('aria-posinset'))
      mostAtOnce = Math.max(mostAtOnce, items.length)
      window.scrollBy(0, window.innerHeight / 2)
      // What comes into view is drawn in one of the next frames.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
    return { seen: seen.size, mostAtOnce }
  }, count)
}

test('a card has the title, the date and the ways to train, share, edit and delete', {
  tag: ['@spec-2.37', '@spec-2.40'],
}, async ({ page }) => {
  const [id] = await signUpWith(page, [{ title: 'Label printer', createdAt: Date.UTC(2026, 10, 20, 12) }])
  await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Upload New Module' })).toHaveAttribute('href', '/upload')
  const card = cards(page).first()
  await expect(card.getByRole('heading')).toHaveText('Label printer')
  await expect(card).toContainText('Nov 20, 2026')
  await expect(card.getByRole('link', { name: 'Start Training' })).toHaveAttribute('href', `/training/${id}`)
  await expect(card.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', `/training/${id}#step-1`)
  await expect(card.getByRole('button', { name: 'Share' })).toBeVisible()
  await card.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this module?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Label printer', { exact: true })).toBeHidden()
  await expect.poll(() => savedTitles(page)).toEqual([])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByRole('heading')).toHaveText('Label printer')
  await expect.poll(() => savedTitles(page)).toEqual(['Label printer'])
  await card.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => savedTitles(page)).toEqual([])
  await page.getByRole('button', { name: 'Recently deleted' }).click()
  const deleted = page.getByRole('dialog', { name: 'Recently deleted' })
  await expect(deleted.getByRole('listitem')).toContainText('Label printer')
  await expect(deleted.getByRole('listitem')).toContainText('7 days left')
  await expectAccessible(page, 'recently deleted')
  await deleted.getByRole('button', { name: 'Restore: Label printer' }).click()
  await expect(deleted.getByText('Nothing here that can be restored.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card.getByRole('heading')).toHaveText('Label printer')
  await expect(page.getByRole('button', { name: 'Recently deleted' })).toBeHidden()
})

test('on the narrowest phone what can be done with a module stands in two rows', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signUpWith(page, [{ title: 'Label printer' }])
  const card = cards(page).first()
  const middles = ['Share', 'Edit', 'Delete'].map(async (name) => {
    const box = await card.locator('a, button').filter({ hasText: name }).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0) / 2
  })
  for (const middle of await Promise.all(middles)) expect(middle).toBeCloseTo((await middles[0]) ?? 0, 0)
})

test('a module that cannot be deleted comes back', { tag: ['@spec-2.38', '@spec-8.25'] }, async ({ page }) => {
  await signUpWith(page, [{ title: 'Label printer' }])
  await page.route('**/api/modules/*', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await cards(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Failed to delete module')).toBeVisible()
  await expect(cards(page).getByRole('heading')).toHaveText('Label printer')
})

test('the search finds titles whatever their case, and says when none matches', { tag: '@spec-2.35' }, async ({
  page,
}) => {
  await signUpWith(page, [FAILED, AT_WORK, { title: '100 % of it' }])
  await search(page).fill('PassW')
  await expect(cards(page).getByRole('heading')).toHaveText(['Reset a PASSWORD'])
  await search(page).fill('%')
  await expect(cards(page).getByRole('heading')).toHaveText(['100 % of it'])
  await search(page).fill('nothing of the kind')
  await expect(page.getByRole('heading', { name: 'No module matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(cards(page)).toHaveCount(3)
  await expect(search(page)).toBeFocused()
})

test('the layout is remembered', { tag: '@spec-2.35' }, async ({ page }) => {
  await signUpWith(page, [FAILED, AT_WORK])
  await expect(page.getByRole('button', { name: 'Grid' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'List' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
})

test('a module is renamed in its card', async ({ page }) => {
  await signUpWith(page, [{ title: 'Before' }])
  await page.getByRole('button', { name: 'More: Before' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.keyboard.type('Thrown away')
  await page.keyboard.press('Escape')
  await expect(cards(page).getByRole('heading')).toHaveText('Before')
  await expect(page.getByRole('button', { name: 'More: Before' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.keyboard.type('ÄFTER')
  await page.keyboard.press('Enter')
  await expect(cards(page).getByRole('heading')).toHaveText('ÄFTER')
  await expect.poll(() => savedTitles(page)).toEqual(['ÄFTER'])
  await page.reload()
  await search(page).fill('äfter')
  await expect(cards(page).getByRole('heading')).toHaveText(['ÄFTER'])
})

test('the page behind a dialog stays where it is, takes no press, and is as before once the dialog is closed', async ({
  page,
}) => {
  await signUpWith(
    page,
    Array.from({ length: 30 }, (_, index) => ({ title: `Module number ${index}` })),
  )
  const scrolled = () => page.evaluate(() => window.scrollY)
  const share = page.getByRole('button', { name: 'Share: Module number 0' })
  await share.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const before = await scrolled()
  await page.mouse.move(20, 400)
  await page.mouse.wheel(0, 600)
  // Outside of the dialog: closes it, and nothing below is pressed.
  await page.mouse.click(20, 400)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await scrolled()).toBe(before)
  await expect(page).toHaveURL('/dashboard')
  await expect(share).toBeFocused()
  await page.mouse.wheel(0, 600)
  await expect.poll(scrolled).toBeGreaterThan(before)
})

test('hundreds of modules are drawn as far as they are looked at, and none is lost on the way', async ({ page }) => {
  const many = Array.from({ length: 300 }, (_, index) => ({ title: `Module number ${index}` }))
  await signUpWith(page, many)
  await page.getByRole('button', { name: 'List' }).click()
  await expect(cards(page).first()).toHaveAttribute('aria-setsize', '-1')
  const { seen, mostAtOnce } = await scrollThrough(page, many.length)
  expect(seen).toBe(many.length)
  expect(mostAtOnce).toBeLessThan(40)
  await expect(cards(page).last()).toHaveAttribute('aria-setsize', '300')
  await expect(cards(page).last().getByRole('heading')).toHaveText('Module number 299')
})

test('the keyboard goes from card to card beyond what is drawn, and the focus stays when the page is scrolled', async ({
  page,
}) => {
  const many = Array.from({ length: 100 }, (_, index) => ({ title: `Module number ${index}` }))
  await signUpWith(page, many)
  await page.getByRole('button', { name: 'List' }).click()
  const focusedPlace = () =>
    page.evaluate(() => Number(document.activeElement?.closest('[role=listitem]')?.getAttribute('aria-posinset')))
  // The list follows its button a moment later, and would take the focus with the cards that it replaces.
  await expect(page.locator('[data-index="1"] [aria-posinset="2"]')).toBeAttached()
  await page.getByRole('button', { name: 'List' }).focus()
  // A title, a way in, a menu, and the ways to share, edit and delete.
  for (let place = 1; place <= 30; place += 1) {
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('Tab')
    await expect.poll(focusedPlace).toBe(place)
  }
  await page.mouse.wheel(0, 6_000)
  // Far below what was drawn beside the focus.
  await expect(cards(page).last().getByRole('heading')).toHaveText(/^Module number [5-9]\d$/)
  expect(await focusedPlace()).toBe(30)
})

test('the list shows how far a module is and that it has ended', async ({ page }) => {
  const [id = ''] = await signUpWith(page, [AT_WORK])
  await expect(page.getByRole('progressbar', { name: 'Processing Reset a PASSWORD' })).toHaveAttribute(
    'aria-valuenow',
    '42',
  )
  await endModule(new URL(page.url()).origin, id, 'READY')
  await expect(cards(page).getByText('Ready', { exact: true })).toBeVisible()
  await expect(page.getByRole('progressbar')).toBeHidden()
})

test('on another page a notice says that a module is ready, in one tab of two', async ({ page }) => {
  const { userId, origin } = await createAccount(page.request)
  const [id = ''] = await seedModules(origin, userId, [AT_WORK])
  const other = await page.context().newPage()
  // Both have seen that it is being processed.
  for (const tab of [page, other]) {
    await Promise.all([tab.waitForResponse(/\/api\/modules\/processing/), tab.goto('/upload')])
    await expect(tab.getByRole('heading', { name: 'Upload a training video' })).toBeVisible()
  }
  await endModule(origin, id, 'READY')
  const notice = (tab: Page) => tab.getByText('“Reset a PASSWORD” is ready')
  await expect.poll(async () => (await notice(page).count()) + (await notice(other).count())).toBe(1)
  const notified = (await notice(page).count()) > 0 ? page : other
  await notified.getByRole('button', { name: 'Start Training' }).click()
  await expect(notified).toHaveURL(new RegExp(`/training/${id}$`))
})

test('a list that cannot be loaded is asked for three times', { tag: '@spec-8.16' }, async ({ page }) => {
  await createAccount(page.request)
  const empty = page.getByRole('heading', { name: 'Your first module starts with a video' })
  const { calls } = await breakList(page, 'fail')
  await page.goto('/dashboard')
  await expect(page.getByRole('alert')).toContainText('Failed to fetch modules')
  await expect(page.getByRole('alert')).toContainText('Busy just now.')
  expect(calls).toHaveLength(3)
  await expectAccessible(page, 'loading')
  await page.unroute(/\/api\/modules\?/)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(empty).toBeVisible()
})

test('a list that takes long shows its shape, and says after three seconds that it is still loading', async ({
  page,
}) => {
  await createAccount(page.request)
  await breakList(page, 'hang')
  await page.goto('/dashboard')
  await expect(page.getByText('Loading your modules', { exact: true })).toBeAttached()
  await expect(page.getByText('Still loading your modules…')).toBeVisible()
  await expectAccessible(page, 'loading')
})

test('no state of the list has an accessibility fault', async ({ page }) => {
  await signUpWith(page, [{ title: 'Label printer' }, AT_WORK, FAILED, { title: LONG }])
  await expect(cards(page)).toHaveCount(4)
  await expectAccessible(page, 'grid')
  await page.getByRole('button', { name: 'List' }).click()
  await expectAccessible(page, 'list')
  await page.getByRole('button', { name: 'More: Label printer' }).click()
  await expectAccessible(page, 'menu')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A title is required')).toBeVisible()
  await expectAccessible(page, 'rename')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Label printer' }).click()
  await expectAccessible(page, 'delete')
  await page.keyboard.press('Escape')
  await search(page).fill('zzz')
  await expect(page.getByRole('heading', { name: 'No module matches' })).toBeVisible()
  await expectAccessible(page, 'no match')
  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(cards(page).first()).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Grid' }).click()
  expect(await overflow()).toBeLessThanOrEqual(0)
})
