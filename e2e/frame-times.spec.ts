import { writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { planMoments } from '#media/choose-frame.ts'
import { makeNumbered, readNumber, shownAt } from './numbered-video.ts'
import { apiOf, createAccount } from './people.ts'
import { COVER_LINES, toCaptions } from './spoken-module.ts'
import { moduleIdOf, seekVideo, untilReady, upload } from './training.ts'

/** What is made one image after the other, after a while. */
const MADE = { timeout: 100_000 }

/** As a recorder of screens writes them: dense where much changes, and one for seconds where nothing does. */
const KEPT = [0, 1, 2, 4, 11, 13, 36, 37, 38, 39, 41, 47, 62, 80, 81, 93, 94, 96, 99, 131]

async function savedSteps(page: Page) {
  return ModuleAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}`)).module.steps
}

const imageUrl = (page: Page, name: string | null | undefined) => `/share/${moduleIdOf(page)}/images/${name}`

test('images of steps show what a video of a variable frame rate shows at their times', async ({ page }) => {
  await createAccount(page.request)
  const video = makeNumbered({ name: 'recorder.mp4', kept: KEPT, args: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] })
  const captions = video.replace(/mp4$/, 'vtt')
  writeFileSync(captions, toCaptions(COVER_LINES))
  await upload(page, video, captions)
  await untilReady(page)
  await expect
    .poll(async () => (await savedSteps(page)).every(({ image }) => image?.startsWith('step-')), MADE)
    .toBe(true)
  const steps = await savedSteps(page)
  expect(steps).toHaveLength(2)
  for (const { start, end, image } of steps) {
    const moments = planMoments({ startMs: start * 1000, endMs: end * 1000 })
    const could = moments.map((timeMs) => shownAt(KEPT, timeMs))
    expect(could, `the image of the step at ${start} s`).toContain(await readNumber(page, imageUrl(page, image)))
  }

  // In the middle of the longest still part, and just before it ends.
  await page.getByRole('button', { name: /^Edit step 2:/ }).click()
  for (const seconds of [2, 12.9]) {
    await seekVideo(page, seconds)
    await page.getByRole('button', { name: /^Use this frame/ }).click()
    const name = `at-${seconds * 1000}`
    await expect.poll(async () => (await savedSteps(page))[1]?.image, MADE).toBe(name)
    expect(await readNumber(page, imageUrl(page, name))).toBe(shownAt(KEPT, seconds * 1000))
  }
})
