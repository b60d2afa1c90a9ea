import { type Browser, expect, type Page, test } from '@playwright/test'
import { STEP_IMAGE } from '#contract/image.ts'
import { ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { apiOf, signUp } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, seekVideo, stepsOf, untilReady } from './training.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 3 }
/** What is made one image after the other, after a while. */
const MADE = { timeout: 100_000 }

let trainer: Page
let id: string

const savedSteps = async () => ModuleAnswer.parse(await apiOf(trainer, `/api/modules/${id}`)).module.steps
const sharedSteps = async () =>
  ShareAnswer.parse(await (await trainer.request.get(`/api/share/${id}`)).json()).module.steps
/** The edge may give the page out as it was for up to a minute. */
const sharedPage = async () => (await trainer.request.get(`/share/${id}`)).text()
const imageOf = (page: Page, number: number) =>
  stepsOf(page)
    .nth(number - 1)
    .locator('img')
const editor = () => trainer.getByRole('form', { name: /^Edit step/ })
const field = () => editor().getByRole('group', { name: 'Image' })
const widthOf = (page: Page, number: number) =>
  imageOf(page, number).evaluate((image: HTMLImageElement) => image.naturalWidth)

async function openEditor(number: number): Promise<void> {
  await trainer.getByRole('button', { name: new RegExp(`^Edit step ${number}:`) }).tap()
  await expect(editor()).toBeVisible()
}

async function openLearner(browser: Browser): Promise<Page> {
  const learner = await (await browser.newContext(PHONE)).newPage()
  await learner.goto(`/share/${id}`)
  await expect(stepsOf(learner).first()).toBeVisible()
  return learner
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await (await browser.newContext(PHONE)).newPage()
  await signUp(trainer)
  await trainer.getByRole('button', { name: 'Try it with a sample' }).click()
  await expect(trainer).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  id = moduleIdOf(trainer)
  await untilReady(trainer)
})

test.afterAll(() => trainer.context().close())

test('each step gets its own image from the browser that sends the video, without a reload', async () => {
  await expect.poll(async () => (await savedSteps()).every(({ image }) => image?.startsWith('step-')), MADE).toBe(true)
  const steps = await savedSteps()
  for (const [at, { image }] of steps.entries()) {
    await expect(imageOf(trainer, at + 1)).toHaveAttribute('src', new RegExp(`/images/${image}\\?`))
  }
})

test('on a phone, images are lazy, of two sizes, and have their place before they are loaded', async ({ browser }) => {
  const learner = await openLearner(browser)
  const steps = await sharedSteps()
  for (const [at, { image }] of steps.entries()) {
    const shown = imageOf(learner, at + 1)
    await expect(shown).toHaveAttribute('loading', 'lazy')
    await expect(shown).toHaveAttribute(
      'srcset',
      `/share/${id}/images/${image} 320w, /share/${id}/images/${image}-960 960w`,
    )
    await expect(shown).toHaveAttribute('width', '320')
    await expect(shown).toHaveAttribute('height', '180')
  }
  const last = imageOf(learner, steps.length)
  const place = async () => {
    const { width = 0, height = 0 } = (await last.boundingBox()) ?? {}
    return height / width
  }
  expect(await place()).toBeCloseTo(9 / 16, 2)
  await stepsOf(learner).last().scrollIntoViewIfNeeded()
  // Three pixels for each of CSS ask for the larger one.
  await expect.poll(() => widthOf(learner, steps.length)).toBeGreaterThan(0)
  await expect
    .poll(() => imageOf(learner, steps.length).evaluate((image: HTMLImageElement) => image.currentSrc))
    .toMatch(/-960$/)
  expect(await place()).toBeCloseTo(9 / 16, 2)
  await expectAccessible(learner, 'share page with images')
  await expectReflow(learner, 'share page with images')
  const sizes = await learner.evaluate(
    async (urls) =>
      Promise.all(
        urls.map(async (url) => {
          const answer = await fetch(url)
          const blob = await answer.blob()
          return { sizeBytes: blob.size, width: (await createImageBitmap(blob)).width, type: blob.type }
        }),
      ),
    [`/share/${id}/images/${steps[0]?.image}`, `/share/${id}/images/${steps[0]?.image}-960`],
  )
  expect(sizes.map(({ width, type }) => [width, type])).toEqual([
    [STEP_IMAGE.smallPx, 'image/webp'],
    [STEP_IMAGE.largePx, 'image/webp'],
  ])
  expect(sizes[1]?.sizeBytes).toBeLessThanOrEqual(STEP_IMAGE.largeMaxBytes)
  await learner.context().close()
})

test('the owner takes the frame that the video shows, or none, and takes it back', async ({ browser }) => {
  await openEditor(2)
  await expect(field().locator('img')).toHaveAttribute(
    'src',
    new RegExp(`/images/${(await savedSteps())[1]?.image}\\?`),
  )
  await seekVideo(trainer, 7)
  await field().getByRole('button', { name: 'Use this frame (00:07)' }).tap()
  await expect(field().getByText('The frame at 00:07, which you have chosen.')).toBeVisible()
  await expect.poll(async () => (await savedSteps())[1]).toMatchObject({ imageAt: 7, image: 'at-7000' })
  await expect
    .poll(() =>
      field()
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0)
  await expectAccessible(trainer, 'the image of a step that is edited')
  await expectReflow(trainer, 'the image of a step that is edited')
  expect((await sharedSteps())[1]).toMatchObject({ image: 'at-7000' })

  await field().getByRole('button', { name: 'No image' }).tap()
  await expect.poll(async () => (await sharedSteps())[1]).toMatchObject({ image: null })
  await expect.poll(async () => (await trainer.request.get(`/share/${id}/images/at-7000`)).status()).toBe(404)
  await field().getByRole('button', { name: 'Undo' }).tap()
  await expect.poll(async () => (await sharedSteps())[1]).toMatchObject({ image: 'at-7000' })
  await field().getByRole('button', { name: 'Choose automatically' }).tap()
  await expect.poll(async () => (await savedSteps())[1]?.image).toMatch(/^step-/)
  const made = (await savedSteps())[1]?.image
  await field().getByRole('button', { name: 'No image' }).tap()
  await expect.poll(async () => (await savedSteps())[1]).toMatchObject({ imageAt: 'none' })
  await trainer.reload()
  await expect(imageOf(trainer, 1)).toBeVisible()
  await expect(imageOf(trainer, 2)).toHaveCount(0)
  await expect.poll(sharedPage, MADE).not.toMatch(new RegExp(`"(at-7000|${made})"`))
  const learner = await openLearner(browser)
  await expect(imageOf(learner, 1)).toBeAttached()
  await expect(imageOf(learner, 2)).toHaveCount(0)
  await learner.context().close()
})

test('the image follows a step that begins elsewhere, made by the browser of its owner', async () => {
  await openEditor(1)
  await editor().getByRole('button', { name: 'Move start one second later' }).tap()
  await editor().getByRole('button', { name: 'Save', exact: true }).tap()
  await expect(editor()).toBeHidden()
  const startMs = Math.round(((await savedSteps())[0]?.start ?? 0) * 1000)
  await expect.poll(async () => (await savedSteps())[0]?.image, MADE).toBe(`step-${startMs}`)
  await expect(imageOf(trainer, 1)).toHaveAttribute('src', new RegExp(`/images/step-${startMs}\\?`))
  await expect.poll(() => widthOf(trainer, 1)).toBeGreaterThan(0)
})

test('print and Markdown have the images, and follow along shows them', async ({ browser }) => {
  const [first] = await sharedSteps()
  const large = `/share/${id}/images/${first?.image}-960`
  const markdown = await (await trainer.request.get(`/share/${id}/steps.md`)).text()
  expect(markdown).toContain(large)
  expect(await (await trainer.request.get(`/share/${id}/print`)).text()).toContain(large)
  expect((await trainer.request.get(large)).ok()).toBe(true)
  await expect.poll(sharedPage, MADE).toContain(`"${first?.image}"`)
  const learner = await openLearner(browser)
  await learner.getByRole('button', { name: 'Follow along' }).tap()
  await expect(learner.getByRole('dialog').locator('img[loading=lazy]')).toHaveAttribute(
    'src',
    `/share/${id}/images/${first?.image}`,
  )
  await expectAccessible(learner, 'follow along with an image')
  await learner.context().close()
})
