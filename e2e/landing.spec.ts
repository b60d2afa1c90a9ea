import { expect, type Page, test } from '@playwright/test'
import { createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'

/** Text and address of every link of the page, without the bar. */
async function linksOf(page: Page): Promise<string[]> {
  const links = await page.getByRole('main').getByRole('link').all()
  return Promise.all(links.map(async (link) => `${await link.innerText()} ${await link.getAttribute('href')}`))
}

test('a stranger reads what Adapt promises, and is invited in', {
  tag: ['@spec-1.7', '@spec-1.8', '@spec-1.9', '@spec-2.3', '@spec-6.1'],
}, async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/')
  await expect(page).toHaveTitle('Adapt')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('with what it is for', async () => {
    for (const promise of ['Video learning', 'AI assistance', 'Interactive training']) {
      await expect(page.getByRole('heading', { name: promise })).toBeVisible()
    }
    await expect(page.getByText('Timestamped videos and progress tracking')).toBeVisible()
  })
  await test.step('with the figures', async () => {
    const figures = page.getByRole('region', { name: 'Adapt in figures' })
    await expect(figures.getByRole('definition')).toHaveText(['10,000+', '50,000+', '94%', '3 hours'])
    await expect(figures.getByRole('term')).toHaveText([
      'training modules',
      'active learners',
      'completion rate',
      'average time saved',
    ])
  })
  await test.step('with three testimonials of five stars', async () => {
    const testimonials = page.getByRole('figure')
    await expect(testimonials).toHaveCount(3)
    for (const testimonial of await testimonials.all()) {
      const stars = testimonial.getByRole('img', { name: 'Rated 5 out of 5 stars' })
      await expect(stars.locator('svg')).toHaveCount(5)
    }
  })
  await test.step('with the ways in, at the top and at the bottom', async () => {
    expect(await linksOf(page)).toEqual([
      'Get Started /sign-up',
      'Sign In /sign-in',
      'Start Free Trial /sign-up',
      'Sign In /sign-in',
    ])
  })
  await test.step('from this server alone, in a typeface of its own', async () => {
    expect(requests.filter((url) => !/^(http:\/\/localhost:|data:|blob:)/.test(url))).toEqual([])
    expect(requests.filter((url) => /clerk/i.test(url))).toEqual([])
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true)
  })
  await expectAccessible(page, 'landing')
  await expectReflow(page, 'landing')
})

test('every address that is nothing else shows the landing page', { tag: '@spec-2.1' }, async ({ page }) => {
  for (const path of ['/no-such-page', '/training', '/a/b/c?d=e']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
    expect(page.url()).toContain(path)
  }
})

test('a signed-in person finds Dashboard and Upload Video on the landing page', { tag: '@spec-2.2' }, async ({
  page,
}) => {
  await createAccount(page.request)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Open user menu' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Upload Video' })).not.toHaveCount(0)
  expect(new Set(await linksOf(page))).toEqual(new Set(['Dashboard /dashboard', 'Upload Video /upload']))
  await expectAccessible(page, 'landing of a signed-in person')
  await page.getByRole('main').getByRole('link', { name: 'Upload Video' }).first().click()
  await expect(page).toHaveURL(/\/upload$/)
})
