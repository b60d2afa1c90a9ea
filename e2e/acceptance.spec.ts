import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { ACCEPTANCE } from '#local/speech/acceptance.ts'
import { wordErrorRate } from '#local/testing/word-error-rate.ts'
import { apiOf, createAccount } from './people.ts'
import { moduleIdOf, stepsOf, untilReady, upload, watchJumps } from './training.ts'

// Left out by playwright.config.ts where the recordings are not at hand.
const HOWTO = join(ACCEPTANCE, 'custom-speech-howto')
const LINUX = join(ACCEPTANCE, 'linux-basic-commands')
/** What the speech engine of a fresh machine reaches on clean narration. */
const WORD_ERROR_RATE_MAX = 0.25
/** No figure of the product: the recogniser takes what other journeys leave it of the machine. */
const TRANSCRIBED_WITHIN_MS = 420_000

/** As they are in truth; what a page shows may still be on the way to it. */
async function stepsInTruth(page: Page) {
  return ModuleAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}`)).module.steps
}

test('a narrated video becomes steps from what was said in it, by itself', { tag: ['@spec-1.3', '@spec-1.5'] }, async ({
  page,
  browser,
}) => {
  test.setTimeout(2 * TRANSCRIBED_WITHIN_MS)
  await createAccount(page.request)
  await upload(page, join(HOWTO, 'custom-speech-howto.mp4'))
  await expect(page.getByRole('progressbar')).toBeVisible()
  await untilReady(page, TRANSCRIBED_WITHIN_MS)
  await expect(page).not.toHaveURL(/processing=true/)

  const id = moduleIdOf(page)
  const transcript = TranscriptAnswer.parse(await apiOf(page, `/api/transcript/${id}`))
  const transcribed = transcript.segments.map((segment) => segment.text).join(' ')
  const rate = wordErrorRate(readFileSync(join(HOWTO, 'reference.txt'), 'utf8'), transcribed)
  console.log(`word error rate of custom-speech-howto.mp4: ${(rate * 100).toFixed(1)} % (limit 25 %)`)
  expect(rate).toBeLessThanOrEqual(WORD_ERROR_RATE_MAX)
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText(/project/i)

  const steps = await stepsInTruth(page)
  await expect(stepsOf(page)).toHaveCount(steps.length)
  await test.step('a click on a step jumps there', async () => {
    const jumps = await watchJumps(page)
    await stepsOf(page).nth(1).getByRole('button').first().click()
    await expect.poll(jumps).toContain(steps[1]?.start)
  })

  await test.step('anyone with the link sees video and steps', async () => {
    const anyone = await (await browser.newContext()).newPage()
    await anyone.goto(`/share/${id}`)
    await expect(stepsOf(anyone)).toHaveCount(steps.length)
    await expect(anyone.getByRole('heading', { name: 'How to Use' })).toBeVisible()
    await expect
      .poll(() => anyone.locator('video').evaluate((video: HTMLVideoElement) => video.readyState))
      .toBeGreaterThan(0)
    await anyone.context().close()
  })
})

test('captions attached at upload become about ten steps without listening', async ({ page }) => {
  await createAccount(page.request)
  await upload(page, join(LINUX, 'linux-basic-commands.webm'), join(LINUX, 'original.srt'))
  await untilReady(page)
  const count = (await stepsInTruth(page)).length
  await expect(stepsOf(page)).toHaveCount(count)
  console.log(`steps of linux-basic-commands.webm with original.srt: ${count}`)
  expect(count).toBeGreaterThanOrEqual(6)
  expect(count).toBeLessThanOrEqual(16)
})

/** The recogniser takes minutes for all of it, and understands the rest no better. */
const START_S = 90

test('narration that cannot be understood is refused, and captions replace it', async ({ page }, testInfo) => {
  test.setTimeout(2 * TRANSCRIBED_WITHIN_MS)
  const [video, captions] = [testInfo.outputPath('start.webm'), testInfo.outputPath('start.srt')]
  const start = ['-t', String(START_S)]
  execFileSync('ffmpeg', ['-v', 'error', '-i', join(LINUX, 'linux-basic-commands.webm'), ...start, '-c', 'copy', video])
  const cues = readFileSync(join(LINUX, 'original.srt'), 'utf8').split(/(?:\r?\n){2}/)
  const isInStart = (cue: string) => /^\d+\s+00:0?(?:0:|1:[01])/.test(cue)
  // As the last of the whole file does, one ends before it begins.
  const late = '900\n00:01:27,000 --> 00:01:26,000\nGood bye.\n'
  writeFileSync(captions, [...cues.filter(isInStart), late].join('\n\n'))
  await createAccount(page.request)
  await upload(page, video)
  await expect(page.getByText('could not be understood').first()).toBeVisible({ timeout: TRANSCRIBED_WITHIN_MS })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add captions' }).click()
  await (await chooser).setFiles(captions)
  await page.getByRole('button', { name: 'Use captions' }).click()
  await untilReady(page)
  // They are loaded again when the module has ended.
  await expect.poll(() => stepsOf(page).count()).toBeGreaterThanOrEqual(2)
})
