import { writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { ShareAnswer } from '#contract/share.ts'
import { enlargeVideo } from './copy-module.ts'
import { ALL_FRAMES, addWeight, makeNumbered, readNumbers, shownAt } from './numbered-video.ts'
import { createAccount } from './people.ts'
import { makeSample } from './sample-module.ts'
import { COVER_LINES, toCaptions } from './spoken-module.ts'
import { moduleIdOf, untilReady, upload } from './training.ts'

/** Of steps, of images and of the screen comes first, with an encoder in software. */
const MADE = { timeout: 100_000 }
/** Longer than the rest of the copy takes. */
const ASLEEP_MS = 15_000
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
/** Enough that a copy is made of a video of some seconds. */
const WEIGHT_BYTES = 12_000_000
/** As a recorder of screens writes them: dense where much changes, and one for seconds where nothing does. */
const UNEVEN = [0, 1, 2, 4, 11, 13, 36, 37, 38, 39, 41, 47, 62, 80, 81, 93, 94, 96, 99, 131]
/** In the middle of frames of a tenth of a second, in all parts of the video. */
const LOOKS_MS = [50, 350, 1_250, 3_550, 4_050, 6_150, 8_050, 9_350, 12_750, 13_450]

/** Below the numbers red, green and blue, side by side. */
const COLOURED = [
  "geq=r='if(lt(Y,H*0.6),r(X,Y),if(lt(X,W/3),208,32))'" +
    ":g='if(lt(Y,H*0.6),g(X,Y),if(gte(X,W/3)*lt(X,W*2/3),208,32))':b='if(lt(Y,H*0.6),b(X,Y),if(gte(X,W*2/3),208,32))'",
]
const SILENT_FIRST = ['-map', '0:v', '-map', '2:a', '-map', '1:a', '-c:a', 'aac', '-shortest']

/** As bright as a recording of a window has it in a picture that could be much brighter (ITU-R BT.2408). */
const toHdr = (transfer: string) => [
  'format=gbrp',
  ...COLOURED,
  'zscale=tin=bt709:pin=bt709:min=gbr:rin=pc:t=linear:p=bt2020:m=gbr:npl=203',
  'format=gbrpf32le',
  `zscale=t=${transfer}:p=bt2020:m=bt2020nc:r=tv:npl=203`,
  'format=yuv420p10le',
]
const HDR_CODEC = ['-c:v', 'libvpx-vp9', '-profile:v', '2', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M']
const hdrNotes = (transfer: string) =>
  `-color_primaries bt2020 -color_trc ${transfer} -colorspace bt2020nc -color_range tv`.split(' ')

interface Odd {
  what: string
  video: Parameters<typeof makeNumbered>[0]
  size: readonly number[]
  isColoured?: true
}

const ODD: readonly Odd[] = [
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
  ...['smpte2084', 'arib-std-b67'].map(
    (transfer): Odd => ({
      what: `of a high dynamic range (${transfer})`,
      video: {
        name: `${transfer}.mp4`,
        filters: toHdr(transfer),
        args: [...HDR_CODEC, ...hdrNotes(transfer), '-c:a', 'copy'],
      },
      size: [320, 180],
      isColoured: true,
    }),
  ),
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

/** What the browser shows in the middle of each coloured part: red, green and blue of each. */
function readColours(page: Page, url: string) {
  return page.evaluate(async (from) => {
    const video = document.createElement('video')
    video.muted = true
    video.src = from
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    const context = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d')
    context?.drawImage(video, 0, 0)
    return [1, 3, 5].map((sixth) => {
      const place = [(video.videoWidth * sixth) / 6, video.videoHeight * 0.8] as const
      return [...(context?.getImageData(...place, 1, 1).data ?? [])].slice(0, 3)
    })
  }, url)
}

/** Of two pictures that are compressed in their own ways. */
const SAME_COLOUR = 10

async function expectSameColours(page: Page, original: string, small: string): Promise<void> {
  const [expected, found] = [await readColours(page, original), await readColours(page, small)]
  for (const [at, colour] of expected.entries()) {
    // Each is what it was drawn as, and not the pale grey of brightness that is misunderstood.
    const others = colour.filter((_, channel) => channel !== at)
    expect(colour[at]).toBeGreaterThan(2 * Math.max(...others))
    for (const [channel, value] of colour.entries())
      expect(Math.abs(value - (found[at]?.[channel] ?? Number.NaN))).toBeLessThan(SAME_COLOUR)
  }
}

test.describe.configure({ mode: 'parallel' })

for (const { what, video, size, isColoured } of ODD) {
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
    if (isColoured) await expectSameColours(page, original, small)
  })
}

/** What the web worker begins with. */
const UNABLE = [
  { what: 'that cannot encode', code: 'delete self.VideoEncoder' },
  {
    what: 'whose storage gets full',
    code: "FileSystemSyncAccessHandle.prototype.write = () => { throw new DOMException('Full', 'QuotaExceededError') }",
  },
]

for (const { what, code } of UNABLE) {
  test(`a browser ${what} says so, and the original plays`, async ({ page }) => {
    await createAccount(page.request)
    await page.route(/small-copy\.worker/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: `${code};${await answer.text()}` })
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
}

/** The training of the sample, with a video that is large enough. @returns its id */
async function makeLargeSample(page: Page): Promise<string> {
  const id = await makeSample(page)
  await page.goto('/dashboard')
  await enlargeVideo(new URL(page.url()).origin, id, WEIGHT_BYTES)
  return id
}

const untilCopyBegins = (page: Page) =>
  page.waitForEvent('worker', { predicate: (worker) => worker.url().includes('small-copy'), timeout: 60_000 })

test('a copy whose page was closed is made anew, and one whose page sleeps goes on: once, with nothing left behind', async ({
  page,
}) => {
  const id = await makeLargeSample(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/small-copy')) asked.push(request.method())
  })
  // By itself, once the page has been open for a while.
  const left = untilCopyBegins(page)
  await page.goto(`/training/${id}`)
  await left
  const begun = untilCopyBegins(page)
  await page.reload()
  await begun
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await new Promise((resolve) => setTimeout(resolve, ASLEEP_MS))
  expect(asked).toEqual([])
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  const readCopy = async () =>
    ShareAnswer.parse(await (await page.request.get(`/api/share/${id}`)).json()).module.smallCopy ?? null
  await expect.poll(readCopy, MADE).not.toBeNull()
  expect(asked).toEqual(['POST', 'PUT'])
  const readLeft = () =>
    page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('adapt-converted')
      const names: string[] = []
      for await (const name of folder.keys()) names.push(name)
      return { names, tries: localStorage.getItem('adapt_small_copies') }
    })
  await expect.poll(readLeft).toEqual({ names: [], tries: null })
})
