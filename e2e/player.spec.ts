import { readFile } from 'node:fs/promises'
import { type Browser, expect, type Page, type Request, type Route, test } from '@playwright/test'
import { imageNameOf, imageUrl } from '#contract/image-url.ts'
import { ShareAnswer } from '#contract/share.ts'
import { TranscriptAnswer, type TranscriptSegment } from '#contract/transcript.ts'
import { apiOf, signUp } from './people.ts'
import { type Cue, convertSrt, readVtt } from './read-cues.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf, untilReady, videoTimeOf, watchJumps } from './training.ts'

let trainer: Page
let id: string
let starts: number[]

type MediaKeys = Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>>

/** Runs in the page: no test can press the keys of a headset, but what they would do can be asked for. */
function keepMediaKeys(): void {
  const mediaKeys: MediaKeys = {}
  Object.assign(window, { mediaKeys })
  const { mediaSession } = navigator
  const set = mediaSession.setActionHandler.bind(mediaSession)
  mediaSession.setActionHandler = (action, act) => {
    mediaKeys[action] = act
    set(action, act)
  }
}

/** Presses one of them. */
function pressMediaKey(page: Page, action: MediaSessionAction): Promise<void> {
  return page.evaluate((name) => {
    const { mediaKeys } = window as unknown as { mediaKeys: MediaKeys }
    mediaKeys[name]?.({ action: name })
  }, action)
}

/** A person who has only the link. */
async function openVisitor(browser: Browser, path: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const page = await (await browser.newContext(options)).newPage()
  await page.addInitScript(keepMediaKeys)
  await page.goto(path)
  await expect(page.locator('video')).toBeVisible()
  await expect.poll(() => video(page, 'readyState')).toBeGreaterThan(0)
  return page
}

function video<Key extends 'readyState' | 'paused' | 'playbackRate' | 'muted' | 'volume'>(page: Page, key: Key) {
  return page.locator('video').evaluate((element: HTMLVideoElement, name) => element[name], key)
}

/** Notes what fills the screen, each time that it changes. */
async function watchFullscreen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const screens: string[] = []
    Object.assign(window, { screens })
    document.addEventListener('fullscreenchange', () => screens.push(document.fullscreenElement?.className ?? 'none'))
  })
  return () => page.evaluate(() => (window as unknown as { screens: string[] }).screens)
}

/** The words on the image now. */
function captionsOf(page: Page): Promise<string> {
  return page.locator('video').evaluate((element: HTMLVideoElement) => {
    const [track] = element.textTracks
    return track?.mode === 'showing' ? [...(track.activeCues ?? [])].map((cue) => (cue as VTTCue).text).join(' ') : ''
  })
}

/** Long lines are cut, so words are compared, and the times between which each line is said. */
function expectToSay(cues: readonly Cue[], segments: readonly TranscriptSegment[]): void {
  const toMs = (seconds: number) => Math.round(seconds * 1000)
  expect(cues.map(({ text }) => text).join(' ')).toBe(segments.map(({ text }) => text).join(' '))
  expect(cues.map(({ startMs }) => startMs)).toEqual(expect.arrayContaining(segments.map(({ start }) => toMs(start))))
  expect(cues.map(({ endMs }) => endMs)).toEqual(expect.arrayContaining(segments.map(({ end }) => toMs(end))))
  expect(cues.filter(({ startMs, endMs }) => startMs >= endMs)).toEqual([])
}

async function choose(page: Page, panel: 'Settings' | 'Playback speed', label: string): Promise<void> {
  // Moving over the player shows its controls.
  await page.getByRole('region', { name: /^Video player/ }).hover({ position: { x: 10, y: 10 } })
  await page.getByRole('button', { name: panel }).click()
  await page.getByRole('group', { name: panel }).getByLabel(label, { exact: true }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: panel })).toBeHidden()
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser, request }) => {
  trainer = await (await browser.newContext()).newPage()
  await signUp(trainer)
  await trainer.getByRole('button', { name: 'Try it with a sample' }).click()
  await expect(trainer).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  id = moduleIdOf(trainer)
  await untilReady(trainer)
  // Whatever the edge has of the time when it was being made is over after ten seconds.
  await expect.poll(async () => (await request.get(`/share/${id}`)).text(), { timeout: 20_000 }).toContain('"READY"')
  const { module } = ShareAnswer.parse(await (await request.get(`/api/share/${id}`)).json())
  starts = module.steps.map((step) => step.timestamp)
  // Images are sent after the video; the edge keeps for ten seconds that one is not there yet.
  const names = starts.map((start) => imageNameOf(start * 1000))
  const images = names.map((name) => imageUrl(`/share/${id}/images/poster`, name))
  const areThere = () => Promise.all(images.map(async (url) => (await request.get(url)).ok()))
  await expect.poll(areThere, { timeout: 40_000, intervals: [1000] }).not.toContain(false)
  // The edge may give the page out as it was before them for up to a minute.
  const missing = async () => {
    const page = await (await request.get(`/share/${id}`)).text()
    return ['og:image', ...names.map((name) => `"${name}"`)].filter((text) => !page.includes(text))
  }
  await expect.poll(missing, { timeout: 90_000, intervals: [1000] }).toEqual([])
})

test.afterAll(() => trainer.context().close())

test('steps are chapters: on the time line, beside the time, by buttons and by keys', async ({ browser }) => {
  const page = await openVisitor(browser, `/share/${id}`)
  const player = page.getByRole('region', { name: /^Video player/ })
  const [, second = Number.NaN, third = Number.NaN] = starts
  await expect(player.locator('.player-mark')).toHaveCount(starts.filter((start) => start > 0).length)
  const bar = player.locator('.player-seek')
  const { width = 0 } = (await bar.boundingBox()) ?? {}
  await bar.hover({ position: { x: width - 2, y: 8 } })
  await expect(player.locator('.player-preview-title')).toHaveText(new RegExp(`^${starts.length}\\. `))
  const image = player.locator('.player-preview-step img')
  await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await player.getByRole('button', { name: 'Next step' }).click()
  await page.locator('body').press('Control+ArrowRight')
  await expect.poll(() => videoTimeOf(page)).toBeCloseTo(third, 0)
  await expect(player.locator('.player-step')).toHaveText(/^3\. /)
  await page.keyboard.press('Control+ArrowLeft')
  await expect.poll(() => videoTimeOf(page)).toBeCloseTo(second, 0)
  await player.getByRole('slider', { name: 'Seek' }).press('Control+ArrowRight')
  await expect.poll(() => videoTimeOf(page)).toBeCloseTo(third, 0)
  await expectAccessible(page, 'the player')
  await page.context().close()
})

test('keys act from the page, stop at the ends, are listed, and can be switched off', async ({ browser }) => {
  const page = await openVisitor(browser, `/share/${id}`)
  await page.locator('body').press('Space')
  await expect.poll(() => video(page, 'paused')).toBe(false)
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.artist)).toMatch(/^(Adapt|Change)/)
  await page.keyboard.press('k')
  await expect.poll(() => video(page, 'paused')).toBe(true)
  for (let time = 0; time < 6; time++) await page.keyboard.press('Shift+>')
  await expect.poll(() => video(page, 'playbackRate')).toBe(2)
  await page.keyboard.press('m')
  await expect.poll(() => video(page, 'muted')).toBe(true)
  await page.keyboard.press('Shift+?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'the list of keys')
  await expectReflow(page, 'the list of keys')
  await dialog.getByRole('checkbox', { name: 'Use these keys' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('k')
  await page.keyboard.press('m')
  expect(await video(page, 'muted')).toBe(true)
  expect(await video(page, 'paused')).toBe(true)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expectAccessible(page, 'the settings')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(dialog).toBeVisible()
  await page.context().close()
})

test('each key does what the list says, and so do the keys of a headset', async ({ browser }) => {
  const page = await openVisitor(browser, `/share/${id}?seek=30`)
  const [, second = Number.NaN, third = Number.NaN] = starts
  const durationS = await page.locator('video').evaluate((element: HTMLVideoElement) => element.duration)
  const leadsTo = (seconds: number) => expect.poll(() => videoTimeOf(page)).toBeCloseTo(seconds, 1)
  await leadsTo(30)
  await page.getByRole('region', { name: /^Video player/ }).focus()
  for (const [key, seconds] of [
    ['j', 20],
    ['l', 30],
    ['ArrowLeft', 25],
    ['ArrowRight', 30],
    ['.', 30 + 1 / 30],
    [',', 30],
    ['End', durationS],
    ['Home', 0],
    ['3', durationS * 0.3],
    ['0', 0],
  ] as const) {
    await page.keyboard.press(key)
    await leadsTo(seconds)
  }
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => video(page, 'volume')).toBeCloseTo(0.95)
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => video(page, 'volume')).toBe(1)
  await page.keyboard.press('Shift+<')
  await expect.poll(() => video(page, 'playbackRate')).toBe(0.75)
  const screens = await watchFullscreen(page)
  // Twice, faster than the browser can do it.
  for (let press = 0; press < 2; press += 1) await page.keyboard.press('f')
  await expect.poll(screens).toEqual([expect.stringContaining('player'), 'none'])
  await page.keyboard.press('i')
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement?.tagName)).toBe('VIDEO')
  await page.keyboard.press('i')
  await expect.poll(() => page.evaluate(() => document.pictureInPictureElement)).toBeNull()

  await page.keyboard.press('k')
  // The video says so a moment before the player knows, and would be played again instead of paused.
  await expect(page.getByRole('button', { name: 'Pause' })).toBeAttached()
  await page.keyboard.press('k')
  await expect.poll(() => video(page, 'paused')).toBe(true)
  await page.keyboard.press('1')
  await leadsTo(durationS * 0.1)
  for (const [action, seconds] of [
    ['nexttrack', second],
    ['nexttrack', third],
    ['previoustrack', second],
    ['seekforward', second + 10],
    ['seekbackward', second],
  ] as const) {
    await pressMediaKey(page, action)
    await leadsTo(seconds)
  }
  await page.context().close()
})

test('resumes as it was left: place, speed, audio and captions', async ({ browser }) => {
  const page = await openVisitor(browser, `/share/${id}?t=8s`)
  await choose(page, 'Playback speed', '1.5×')
  await page.getByRole('button', { name: /captions/i }).click()
  await page.getByRole('region', { name: /^Video player/ }).press('k')
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(9.5)
  await expect.poll(() => captionsOf(page)).not.toBe('')
  await page.keyboard.press('k')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Caption size').selectOption('Large')
  await page.getByRole('button', { name: 'Copy link at this time' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const leftS = Math.floor(await videoTimeOf(page))
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`/share/${id}\\?t=${leftS}$`))

  await page.goto(`/share/${id}`)
  await expect(page.getByText(/^Resumed at 00:/)).toBeVisible()
  await expect.poll(() => videoTimeOf(page)).toBeCloseTo(leftS, 0)
  expect(await video(page, 'paused')).toBe(true)
  await expect.poll(() => video(page, 'playbackRate')).toBe(1.5)
  await expect(page.getByRole('button', { name: 'Disable captions' })).toBeVisible()
  await expect(page.locator('.player')).toHaveCSS('--caption-scale', '1.35')
  await expectAccessible(page, 'a video that was left')
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect.poll(() => videoTimeOf(page)).toBe(0)
  await expect(page.getByText(/^Resumed at/)).toBeHidden()
  await page.context().close()
})

test('a step is played again and again, or waited for at its end', async ({ browser }) => {
  const [, second = Number.NaN, third = Number.NaN] = starts
  const page = await openVisitor(browser, `/share/${id}?t=${third - 1.5}`)
  await choose(page, 'Settings', 'Loop this step')
  await page.getByRole('region', { name: /^Video player/ }).press('k')
  await expect.poll(() => videoTimeOf(page)).toBeLessThan(third - 2)
  expect(await videoTimeOf(page)).toBeGreaterThanOrEqual(second - 0.2)
  await choose(page, 'Settings', 'Pause after each step')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Loop this step').uncheck()
  await page.keyboard.press('Escape')
  await page.goto(`/share/${id}?t=${third - 1.5}`)
  await page.getByRole('region', { name: /^Video player/ }).press('k')
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(third - 1.2)
  await expect.poll(() => video(page, 'paused')).toBe(true)
  await expect.poll(() => videoTimeOf(page)).toBeLessThan(third)
  await expect(stepsOf(page).nth(1).getByRole('button')).toHaveAttribute('aria-current', 'step')
  await page.keyboard.press('k')
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(third + 0.3)
  await page.context().close()
})

test('is followed by touch: tap, double tap, steps, and a small player while the page is scrolled', async ({
  browser,
}) => {
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
  const page = await openVisitor(browser, `/share/${id}?t=9`, phone)
  const player = page.getByRole('region', { name: /^Video player/ })
  await player.getByRole('button', { name: 'Play video' }).tap()
  await expect.poll(() => video(page, 'paused')).toBe(false)
  const beforeS = await videoTimeOf(page)
  const jumps = await watchJumps(page)
  const { x = 0, y = 0, width = 0, height = 0 } = (await player.boundingBox()) ?? {}
  await expect(async () => {
    // Two taps that a busy machine brings apart are none: a viewer taps again.
    for (let tap = 0; tap < 2; tap++) await page.touchscreen.tap(x + width - 40, y + height / 3)
    await expect.poll(async () => Math.max(0, ...(await jumps())), { timeout: 2_000 }).toBeGreaterThan(beforeS + 8)
  }).toPass()
  await stepsOf(page).nth(1).getByRole('button').tap()
  await expect(page.getByText(/^Step 2 of/)).toBeVisible()

  // Held sideways, a phone has no room for a video that stays.
  await page.setViewportSize({ width: 800, height: 390 })
  await stepsOf(page).last().scrollIntoViewIfNeeded()
  const back = page.getByRole('button', { name: 'Back to the video' })
  await expect(back).toBeVisible()
  await expect(player).toBeInViewport({ ratio: 1 })
  await expectAccessible(page, 'the small player')
  await page.getByRole('button', { name: 'Close the small video' }).tap()
  await expect(player).not.toBeInViewport()
  await expect.poll(() => video(page, 'paused')).toBe(true)
  await page.locator('video').evaluate((element: HTMLVideoElement) => element.play())
  await expect(back).toBeHidden()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(player).toBeInViewport()
  await stepsOf(page).last().scrollIntoViewIfNeeded()
  await back.tap()
  await expect(player).toBeInViewport({ ratio: 0.8 })
  await expect(back).toBeHidden()
  await page.context().close()
})

test('has all of it on a phone', async ({ browser }) => {
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
  const page = await openVisitor(browser, `/share/${id}?t=9`, phone)
  await expectReflow(page, 'the player')
  await page.getByRole('button', { name: 'Settings' }).tap()
  const panel = page.getByRole('group', { name: 'Settings' })
  await expect(panel).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Playback speed' }).tap()
  await expect(page.getByRole('group', { name: 'Playback speed' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.context().close()
})

test('the transcript follows the video, leads to its moments, is searched and taken along', async () => {
  const page = trainer
  const box = page.getByRole('region', { name: 'Transcript' })
  const lines = box.getByRole('group', { name: 'Transcript' }).getByRole('button')
  await lines.nth(3).click()
  await expect(lines.nth(3)).toHaveAttribute('aria-current', 'time')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(lines.nth(4)).toHaveAttribute('aria-current', 'time')
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(starts[1] ?? 0)
  await page.keyboard.press('Home')
  await expect(box.getByRole('button', { name: 'Back to current' })).toBeVisible()
  await box.getByRole('button', { name: 'Search the transcript' }).click()
  await page.keyboard.type('roll')
  await expect(box.getByRole('status')).toHaveText(/^1 of \d+$/)
  await page.keyboard.press('Enter')
  await expect(box.getByRole('status')).toHaveText(/^2 of \d+$/)
  await expectAccessible(page, 'the transcript that is searched')
  await expectReflow(page, 'the transcript that is searched')
  await page.keyboard.press('Escape')
  const beforeS = await videoTimeOf(page)
  await page.keyboard.press('/')
  // All of these are keys of the player, too.
  await page.keyboard.type('l, j 0 mk/')
  await expect(box.getByRole('textbox')).toHaveValue('l, j 0 mk/')
  expect([await videoTimeOf(page), await video(page, 'paused'), await video(page, 'muted')]).toEqual([
    beforeS,
    true,
    false,
  ])
  await page.keyboard.press('Escape')
  await expect(box.getByRole('textbox')).toBeHidden()
  const { segments } = TranscriptAnswer.parse(await apiOf(page, `/api/transcript/${id}`))
  for (const [label, begins] of [
    ['Download VTT', /^WEBVTT\n\n00:00:00\.\d{3} --> /],
    ['Download SRT', /^1\n00:00:00,\d{3} --> /],
    ['Download TXT', /^In this short video/],
  ] as const) {
    await box.getByRole('button', { name: 'More for the transcript' }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: label }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe(`Change-the-roll-in-a-label-printer.${label.slice(-3).toLowerCase()}`)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toMatch(begins)
    // Parsed by other code than wrote it: the browser's parser, and ffmpeg's.
    if (label === 'Download VTT') expectToSay(await readVtt(page, text), segments)
    if (label === 'Download SRT') expectToSay(await readVtt(page, convertSrt(text)), segments)
  }
  await box.getByRole('button', { name: 'More for the transcript' }).click()
  await page.getByRole('menuitem', { name: 'Copy with times' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^00:00 {2}In this short/)
})

test('an address whose ticket has expired plays and seeks on with the one that the page has renewed', async () => {
  const asked: string[] = []
  const onRequest = (request: Request) => {
    if (request.url().includes('/api/video-url/')) asked.push(request.url())
  }
  const media = /\/media\/[^/]+\/video/
  await trainer.route(media, async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('ticket', 'expired.expired')
    await route.continue({ url: url.href })
  })
  trainer.on('request', onRequest)
  await trainer.reload()
  await expect.poll(() => video(trainer, 'readyState')).toBeGreaterThan(1)
  await trainer.locator('video').evaluate(async (element: HTMLVideoElement) => {
    element.muted = true
    element.currentTime = element.duration / 2
    await element.play()
  })
  const before = await videoTimeOf(trainer)
  await expect.poll(() => videoTimeOf(trainer)).toBeGreaterThan(before)
  expect(asked).toHaveLength(1)
  trainer.off('request', onRequest)
  await trainer.unroute(media)
})

/** Relative luminance of the pixels of a screenshot, row by row. @see WCAG 2.2 */
async function readLuminance(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const png = (await page.screenshot({ clip })).toString('base64')
  // A page of its own: ours forbids to read what is drawn from anywhere else.
  const reader = await page.context().newPage()
  const rows = await reader.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] as number[] }
    const linear = (channel = 0) =>
      channel <= 10.31 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
    const at = (x: number, y: number) => {
      const [red, green, blue] = [0, 1, 2].map((part) => linear(data[(y * image.width + x) * 4 + part]))
      return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
    }
    return Array.from({ length: image.height }, (_row, y) =>
      Array.from({ length: image.width }, (_cell, x) => at(x, y)),
    )
  }, png)
  await reader.close()
  return rows
}

test('the spinner is seen on a bright frame', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage()
  const held: Route[] = []
  const isVideo = (route: Route) => route.request().resourceType() === 'media'
  await page.route('**/*', (route) => (isVideo(route) ? void held.push(route) : route.fallback()))
  await page.goto(`/share/${id}`)
  await page.getByRole('button', { name: /^Play video/ }).click()
  const spinner = page.locator('.player svg.animate-spin')
  await expect(spinner).toBeVisible()
  await page.locator('video').evaluate((element: HTMLVideoElement) => {
    element.removeAttribute('poster')
    element.style.background = 'white'
  })
  const box = await spinner.boundingBox()
  if (box === null) throw new Error('no spinner')
  // Its ground is 16 px larger on each side; around that is the frame.
  const [size, x, y] = [box.width + 80, box.x - 40, box.y - 40]
  const contrastOf = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  const measure = async () => {
    const rows = await readLuminance(page, { x, y, width: size, height: size })
    const inRing = rows.slice(40, -40).flatMap((row) => row.slice(40, -40))
    const [frame = 0, ground = 0] = [rows[2]?.[2], rows[Math.round(size / 2)]?.[Math.round(size / 2)]]
    return { frame, arcOnGround: contrastOf(Math.max(...inRing), ground), groundOnFrame: contrastOf(ground, frame) }
  }
  // WCAG 2.2, 1.4.11: what is needed to see that something is going on.
  await expect.poll(async () => (await measure()).frame).toBeCloseTo(1)
  const { arcOnGround, groundOnFrame } = await measure()
  expect(arcOnGround).toBeGreaterThanOrEqual(3)
  expect(groundOnFrame).toBeGreaterThanOrEqual(3)
  for (const route of held) await route.abort()
  await page.context().close()
})
