import { writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { ShareAnswer } from '#contract/share.ts'
import { ALL_FRAMES, addWeight, makeNumbered, readNumbers, shownAt } from './numbered-video.ts'
import { createAccount } from './people.ts'
import { COVER_LINES, toCaptions } from './spoken-module.ts'
import { moduleIdOf, untilReady, upload } from './training.ts'

/** Of steps, of images and of the screen comes first, with an encoder in software. */
const MADE = { timeout: 100_000 }
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
/** Enough that a copy is made of a video of some seconds. */
const WEIGHT_BYTES = 12_000_000
/** As a recorder of screens writes them: dense where much changes, and one for seconds where nothing does. */
const UNEVEN = [0, 1, 2, 4, 11, 13, 36, 37, 38, 39, 41, 47, 62, 80, 81, 93, 94, 96, 99, 131]
/** In the middle of frames of a tenth of a second, in all parts of the video. */
const LOOKS_MS = [50, 350, 1_250, 3_550, 4_050, 6_150, 8_050, 9_350, 12_750, 13_450]

const SILENT_FIRST = ['-map', '0:v', '-map', '2:a', '-map', '1:a', '-c:a', 'aac', '-shortest']

const ODD = [
  {
    what: 'that a phone held upright has rotated',
    video: {
      name: 'upright.mp4',
      width: 360,
      height: 640,
      filters: ['transpose=clock'],
      args: [...H264, '-c:a', 'copy'],
      notes: ['-metadata:s:v', 'rotate=90'],
    },
    size: [360, 640],
  },
  {
    what: 'of a window with odd sides, as browsers record it',
    video: {
      name: 'window.webm',
      width: 853,
      height: 481,
      args: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv420p', '-c:a', 'libopus'],
    },
    size: [854, 482],
  },
  {
    what: 'of a variable frame rate',
    video: { name: 'uneven.mp4', kept: UNEVEN, args: [...H264, '-c:a', 'copy'] },
    size: [320, 180],
  },
  {
    what: 'whose first track of audio is silent',
    video: {
      name: 'second.mp4',
      inputs: ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo'],
      args: [...H264, ...SILENT_FIRST],
    },
    size: [320, 180],
  },
]

/** How large the picture of a video is, how long it is, and how loud its audio, as the browser plays it. */
function measure(page: Page, url: string) {
  return page.evaluate(async (from) => {
    const video = document.createElement('video')
    video.src = from
    await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve))
    const bytes = await (await fetch(from)).arrayBuffer()
    const audio = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(bytes)
    const samples = audio.getChannelData(0)
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    return { size: [video.videoWidth, video.videoHeight], seconds: video.duration, level }
  }, url)
}

test.describe.configure({ mode: 'parallel' })

for (const { what, video, size } of ODD) {
  test(`the small copy of a video ${what} shows and says the same at the same times`, async ({ page }) => {
    await createAccount(page.request)
    const path = makeNumbered(video)
    addWeight(path, WEIGHT_BYTES)
    const captions = `${path}.vtt`
    writeFileSync(captions, toCaptions(COVER_LINES))
    await upload(page, path, captions)
    await untilReady(page)
    const id = moduleIdOf(page)
    const readModule = async () => ShareAnswer.parse(await (await page.request.get(`/api/share/${id}`)).json()).module
    await expect.poll(async () => (await readModule()).smallCopy ?? null, MADE).not.toBeNull()
    await page.goto(`/share/${id}`)
    const [original, small] = [`/share/${id}/video`, `/share/${id}/video/small`]
    const expected = LOOKS_MS.map((timeMs) => shownAt(video.kept ?? ALL_FRAMES, timeMs))
    expect(await readNumbers(page, original, LOOKS_MS)).toEqual(expected)
    expect(await readNumbers(page, small, LOOKS_MS)).toEqual(expected)
    const copy = await measure(page, small)
    expect(copy.size).toEqual(size)
    expect(Math.abs(copy.seconds - (await measure(page, original)).seconds)).toBeLessThan(0.25)
    // The narration of the test video; the silent track has none.
    expect(copy.level).toBeGreaterThan(0.01)
  })
}

test('a browser that cannot encode says so, and the original plays', async ({ page }) => {
  await createAccount(page.request)
  await page.route(/small-copy\.worker/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `delete self.VideoEncoder;${await answer.text()}` })
  })
  const path = makeNumbered({ name: 'plain.mp4', args: [...H264, '-c:a', 'copy'] })
  addWeight(path, WEIGHT_BYTES)
  await upload(page, path)
  await untilReady(page)
  const id = moduleIdOf(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Small copies 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Small copies' })
  await dialog.getByRole('button', { name: 'Make now' }).click()
  await expect(dialog.getByText('Could not be made in this browser: 1')).toBeVisible(MADE)
  await page.goto(`/share/${id}`)
  const expected = LOOKS_MS.map((timeMs) => shownAt(ALL_FRAMES, timeMs))
  expect(await readNumbers(page, `/share/${id}/video`, LOOKS_MS)).toEqual(expected)
})
