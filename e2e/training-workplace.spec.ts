import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { createAccount } from './people.ts'
import { openSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { tabTo } from './tab-to.ts'
import { seekVideo, stepsOf, videoTimeOf } from './training.ts'

const DESKTOP = { width: 1440, height: 900 }

/** The sections of an owner, with the region that each shows. */
const SECTIONS = [
  ['Transcript', 'Transcript'],
  ['Questions', /^Questions from learners/],
  ['Learners', 'Learners'],
  ['Feedback', 'Feedback'],
] as const

const nav = (page: Page) => page.getByRole('navigation', { name: 'Sections of this training' })
const linkTo = (page: Page, name: string) => nav(page).getByRole('link', { name: new RegExp(`^${name}`) })
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })
const currentStep = (page: Page) => stepsOf(page).filter({ has: page.locator('[aria-current=step]') })
const question = (page: Page) => page.getByRole('textbox', { name: 'Your question' })

async function boxOf(what: Locator) {
  const box = await what.boundingBox()
  if (box === null) throw new Error(`${what.toString()} is not shown`)
  return box
}

/** Whether all of it is in the window, and in the box of the page that scrolls it. */
function isInSight(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const box = element.closest('[data-scroll-box]')?.getBoundingClientRect()
    const isInBox = box === undefined || (top >= box.top - 1 && bottom <= box.bottom + 1)
    return isInBox && top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth
  })
}

/** Sizes of the window, and how many steps are seen whole when the page is opened in it. */
const STEPS_IN_SIGHT = [
  [{ width: 1280, height: 800 }, 4],
  [DESKTOP, 6],
] as const

const LONG_TITLE = 'Take the empty paper roll out of the opened label printer now'.slice(0, 60)

/** Counts the steps that are in the window with all of their title and their time. */
function countWholeSteps(page: Page): Promise<number> {
  return region(page, 'Steps').evaluate((steps) => {
    const box = steps.querySelector('[data-scroll-box]')
    const bottom = Math.min(box?.getBoundingClientRect().bottom ?? 0, window.innerHeight) + 1
    return [...steps.querySelectorAll('.step-card')].filter((card) => {
      const whole = card.getBoundingClientRect()
      const parts = [...card.querySelectorAll('.step-jump bdi, .step-time')].map((part) => part.getBoundingClientRect())
      const areShown = parts.every(
        ({ height, right, bottom: end }) => height > 0 && right <= whole.right && end <= whole.bottom,
      )
      return parts.length === 2 && areShown && whole.bottom <= bottom
    }).length
  })
}

/** Expects as many steps as promised at each size, under a heading whose buttons stand in one row. */
async function expectStepsInSight(page: Page): Promise<void> {
  for (const [size, count] of STEPS_IN_SIGHT) {
    await page.setViewportSize(size)
    await expect.poll(() => countWholeSteps(page), `at ${size.width} px`).toBeGreaterThanOrEqual(count)
    const [first, last] = await Promise.all([
      boxOf(page.getByRole('button', { name: 'Follow along' })),
      boxOf(page.getByRole('link', { name: 'Edit all steps' })),
    ])
    expect(last.y, `the row of buttons at ${size.width} px`).toBeLessThan(first.y + first.height / 2)
  }
}

/** Plays without end, muted, and keeps the element to compare with. */
async function playOn(page: Page): Promise<void> {
  await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    Object.assign(window, { played: video, stops: 0 })
    video.muted = true
    video.loop = true
    await video.play()
    for (const name of ['pause', 'emptied']) {
      video.addEventListener(name, () => {
        ;(window as unknown as { stops: number }).stops += 1
      })
    }
  })
}

/** It is the same video, which has not stopped since, and goes on. */
async function expectPlayedOn(page: Page): Promise<void> {
  const before = await videoTimeOf(page)
  await expect.poll(() => videoTimeOf(page)).not.toBe(before)
  const state = await page.evaluate(() => {
    const { played, stops } = window as unknown as { played: HTMLVideoElement; stops: number }
    return { isSame: document.querySelector('video') === played, isPlaying: !played.paused, stops }
  })
  expect(state).toEqual({ isSame: true, isPlaying: true, stops: 0 })
}

test.describe('a training of their own', () => {
  test.use({ viewport: DESKTOP })

  test('is on one screen: the video, the steps, the one that plays, and the tutor', async ({ page }) => {
    await openSample(page)
    await expectStepsInSight(page)
    // None of the titles of the sample is as long.
    await stepsOf(page)
      .locator('.step-jump bdi')
      .evaluateAll((titles, text) => {
        for (const title of titles) (title.firstChild as Text).data = text
      }, LONG_TITLE)
    await expectStepsInSight(page)
    await page.reload()
    await seekVideo(page, 14)
    await expect(currentStep(page)).toContainText('Open the cover')
    for (const part of [page.locator('video'), currentStep(page), question(page), linkTo(page, 'Transcript')]) {
      await expect.poll(() => isInSight(part), part.toString()).toBe(true)
    }
    await expect.poll(() => isInSight(region(page, 'Transcript'))).toBe(true)
    const [video, steps, tutor] = await Promise.all([
      boxOf(page.locator('video')),
      boxOf(region(page, 'Steps')),
      boxOf(region(page, 'Ask the tutor')),
    ])
    expect(video.x + video.width).toBeLessThan(steps.x)
    expect(steps.x + steps.width).toBeLessThan(tutor.x)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(DESKTOP.height)
    await expectAccessible(page, 'an owner’s training on one screen')
  })

  test('has a list of steps that follows the video, until the owner scrolls in it', async ({ page }) => {
    // The column is lower than the list.
    await page.setViewportSize({ width: 1024, height: 900 })
    await openSample(page)
    const last = stepsOf(page).last()
    expect(await isInSight(last)).toBe(false)
    await seekVideo(page, 58)
    await expect(last.locator('[aria-current=step]')).toBeVisible()
    await expect.poll(() => isInSight(last)).toBe(true)
    await last.hover()
    await page.mouse.wheel(0, -5_000)
    await expect.poll(() => isInSight(stepsOf(page).first())).toBe(true)
    await seekVideo(page, 22)
    const back = region(page, 'Steps').getByRole('button', { name: 'Back to current' })
    await expect(back).toBeVisible()
    await expectAccessible(page, 'a list that its reader has scrolled')
    await back.click()
    await expect(back).toBeHidden()
    await expect.poll(() => isInSight(currentStep(page))).toBe(true)
    await expect(currentStep(page)).toContainText('Take out the empty roll')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  test('leads to the form for a missing step, and edits a step beside the video', async ({ page }) => {
    await openSample(page)
    await page.getByRole('button', { name: 'Add a missing step' }).click()
    const form = page.getByRole('form', { name: 'Need to add a missing step?' })
    await expect(form.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await expect.poll(() => isInSight(form.getByRole('textbox', { name: 'Title' }))).toBe(true)
    await page.getByRole('button', { name: /^Edit step 6:/ }).click()
    const title = page.getByRole('form', { name: 'Edit step 6' }).getByRole('textbox', { name: 'Title' })
    await expect(title).toBeFocused()
    for (const part of [title, page.locator('video')]) await expect.poll(() => isInSight(part)).toBe(true)
    await expectAccessible(page, 'a step that is edited beside its video')
  })

  test('has sections with addresses, and the video plays on from one to the next', async ({ page }) => {
    const id = await openSample(page)
    await playOn(page)
    await expect(linkTo(page, 'Transcript')).toHaveAttribute('aria-current', 'page')
    for (const [name] of SECTIONS) {
      await linkTo(page, name).click()
      await expect(page).toHaveURL(`/training/${id}/${name.toLowerCase()}`)
      await expect(linkTo(page, name)).toHaveAttribute('aria-current', 'page')
      await expect(linkTo(page, name)).toBeFocused()
      await expect(page).toHaveTitle(new RegExp(`^${name} · Change the roll`))
      for (const [other, shown] of SECTIONS) {
        await expect(region(page, shown)).toBeVisible({ visible: other === name })
      }
      await expectAccessible(page, `the section ${name}`)
    }
    await linkTo(page, 'Settings').click()
    await expect(page.getByRole('heading', { name: 'About this module' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Share this training' })).toBeVisible()
    await expectAccessible(page, 'the section Settings')
    await expectPlayedOn(page)

    await page.goBack()
    await expect(page).toHaveURL(`/training/${id}/feedback`)
    await expect(region(page, 'Feedback')).toBeVisible()
    await region(page, 'Feedback').getByRole('textbox').fill('Shorter titles')
    await page.goBack()
    await expect(region(page, 'Learners')).toBeVisible()
    await expect(region(page, 'Feedback')).toBeHidden()
    await page.goForward()
    await expect(region(page, 'Feedback').getByRole('textbox')).toHaveValue('Shorter titles')
    await expectPlayedOn(page)

    await page.goto(`/training/${id}/learners`)
    await expect(region(page, 'Learners')).toBeVisible()
    await page.reload()
    await expect(region(page, 'Learners')).toBeVisible()
    await expect(region(page, 'Transcript')).toBeHidden()
    await page.goto(`/training/${id}/no-such-section?seek=20`)
    await expect(page).toHaveURL(`/training/${id}?seek=20`)
    await expect(region(page, 'Transcript')).toBeVisible()
    await expect.poll(() => videoTimeOf(page)).toBeCloseTo(20, 0)
  })

  test('asks the owner to rate what the AI made', async ({ page }) => {
    const id = await openSample(page)
    await page.goto(`/training/${id}/feedback`)
    const panel = region(page, 'Feedback')
    await expect(panel.getByText('Rate what the AI made of your video.')).toBeVisible()
    const rating = panel.getByRole('group', { name: 'Are the steps right?' })
    await rating.getByRole('button', { name: 'Worked' }).click()
    await expect(panel.getByText('Thank you for your feedback!')).toBeVisible()
    await expect(panel.getByRole('textbox', { name: 'What should the AI have done better?' })).toBeVisible()
    await expect(page.getByText('Do the steps help?')).toBeHidden()
  })

  test('is worked on with the keyboard alone', async ({ page }) => {
    const id = await openSample(page)
    await tabTo(page, stepsOf(page).first().getByRole('button').first())
    await tabTo(page, question(page))
    await tabTo(page, linkTo(page, 'Learners'))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/training/${id}/learners`)
    await expect(region(page, 'Learners')).toBeVisible()
    await expect(linkTo(page, 'Learners')).toBeFocused()
    await tabTo(page, region(page, 'Learners').getByRole('spinbutton'))
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'About this module' })).toBeVisible()
  })

  test('keeps playing when the screen is turned', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 1180 })
    await openSample(page)
    await playOn(page)
    expect((await boxOf(question(page))).y).toBeLessThan((await boxOf(page.locator('video'))).y)
    await page.setViewportSize({ width: 1180, height: 820 })
    const [video, steps] = [await boxOf(page.locator('video')), await boxOf(region(page, 'Steps'))]
    expect(video.x + video.width).toBeLessThan(steps.x)
    for (const part of [page.locator('video'), question(page)]) await expect.poll(() => isInSight(part)).toBe(true)
    await expectPlayedOn(page)
  })
})

async function openViewer(browser: Browser, path: string): Promise<Page> {
  const viewer = await (await browser.newContext({ viewport: DESKTOP })).newPage()
  await createAccount(viewer.request)
  await viewer.goto(path)
  return viewer
}

test('a viewer gets the simple page, whatever section the address names', async ({ page, browser }) => {
  const id = await openSample(page)
  const viewer = await openViewer(browser, `/training/${id}/learners`)
  await expect(viewer).toHaveURL(`/training/${id}`)
  await expect(stepsOf(viewer).first()).toBeVisible()
  for (const name of ['Transcript', 'Steps', 'Ask the tutor', 'Feedback'])
    await expect(region(viewer, name)).toBeVisible()
  await expect(viewer.getByText('What could be better in this training?')).toBeVisible()
  await expect(nav(viewer)).toBeHidden()
  for (const name of [/^Questions from learners/, 'Learners']) await expect(region(viewer, name)).toHaveCount(0)
  await expect(viewer.getByRole('form', { name: 'Need to add a missing step?' })).toHaveCount(0)
  for (const part of [viewer.locator('video'), question(viewer)]) await expect.poll(() => isInSight(part)).toBe(true)
  await expectAccessible(viewer, 'a viewer’s training')
  await expectReflow(viewer, 'a viewer’s training')
  await viewer.context().close()
})

for (const width of [390, 320]) {
  test(`below 1024 px the parts stand in the order of the specification: ${width} px`, {
    tag: ['@spec-2.22', '@spec-2.23'],
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    const id = await openSample(page)
    const parts = [
      page.getByRole('link', { name: 'Back to Upload' }),
      page.getByRole('heading', { level: 1 }),
      question(page),
      page.locator('video'),
      region(page, 'Transcript'),
      stepsOf(page).first(),
      stepsOf(page).last(),
      page.getByRole('heading', { name: 'Need to add a missing step?' }),
      page.getByRole('heading', { name: 'Feedback' }),
    ]
    const tops = await Promise.all(parts.map(async (part) => (await boxOf(part)).y))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    const handles = await Promise.all(parts.map((part) => part.elementHandle()))
    for (const [at, handle] of handles.entries()) {
      const next = handles[at + 1]
      if (handle === null || !next) continue
      const isBefore = await handle.evaluate(
        (element, other) => (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
        next,
      )
      expect(isBefore, `part ${at} before the next`).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await expectAccessible(page, `an owner’s training at ${width} px`)

    await linkTo(page, 'Learners').click()
    await expect(page.getByRole('heading', { name: 'Learners', exact: true })).toBeFocused()
    await expect.poll(() => isInSight(page.getByRole('heading', { name: 'Learners', exact: true }))).toBe(true)
    await expect(page).toHaveURL(`/training/${id}/learners`)
    await expect(region(page, 'Transcript')).toBeVisible()

    await page.goto(`/training/${id}/settings`)
    const isBeside = (link: Element) => link.getBoundingClientRect().right > window.innerWidth
    await expect.poll(() => linkTo(page, 'Settings').evaluate(isBeside)).toBe(false)
  })
}
