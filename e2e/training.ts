import { expect, type Locator, type Page } from '@playwright/test'

/** The steps of a training or share page, in order. */
export function stepsOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Steps' }).getByRole('listitem')
}

/** Where the video of the page stands, in seconds. */
export function videoTimeOf(page: Page): Promise<number> {
  return page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
}

/** Sends the video of the page to a time, once it knows its length: before, it goes nowhere, or begins where it was left. */
export async function seekVideo(page: Page, seconds: number): Promise<void> {
  await page.locator('video').evaluate(async (video: HTMLVideoElement, to) => {
    if (video.readyState === 0) await new Promise((resolve) => video.addEventListener('loadeddata', resolve))
    video.currentTime = to
  }, seconds)
  await expect.poll(() => videoTimeOf(page)).toBeCloseTo(seconds, 0)
}

/** Notes where the video of the page is sent to; a jump is judged by that, not by how far it has played since. */
export async function watchJumps(page: Page): Promise<() => Promise<number[]>> {
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    const jumps: number[] = []
    Object.assign(window, { jumps })
    video.addEventListener('seeking', () => jumps.push(video.currentTime))
  })
  return () => page.evaluate(() => (window as unknown as { jumps: number[] }).jumps)
}

/** Plays from there at twice the speed, as far as that or a little farther, and pauses. @returns where, in seconds */
export function watch(page: Page, fromS: number, toS: number): Promise<number> {
  // All of it in the page: on a busy machine, a pause from outside comes late.
  return page.locator('video').evaluate(
    async (video: HTMLVideoElement, { from, to }) => {
      video.muted = true
      video.playbackRate = 2
      video.currentTime = from
      await video.play()
      while (video.currentTime < to) await new Promise(requestAnimationFrame)
      video.pause()
      return video.currentTime
    },
    { from: fromS, to: toS },
  )
}

/** Shows a section of a training to its owner, who sees one at a time on a wide screen. */
export async function openSection(page: Page, name: string): Promise<void> {
  const nav = page.getByRole('navigation', { name: 'Sections of this training' })
  await nav.getByRole('link', { name: new RegExp(`^${name}`) }).click()
}

/** The id in the address of a training page. */
export function moduleIdOf(page: Page): string {
  const id = /\/training\/([\w-]+)/.exec(page.url())?.[1]
  if (id === undefined) throw new Error(`not a training page: ${page.url()}`)
  return id
}

/** Uploads by the upload page and waits until the browser has moved to the module that came of it. */
export async function upload(page: Page, ...files: string[]): Promise<void> {
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles(files)
  const useCaptions = page.getByRole('button', { name: 'Use captions' })
  // A quick module drops the parameter again as soon as it is READY, so the address is watched, not asked.
  await expect
    .poll(
      async () => {
        // Captions that were repaired, or are shorter than a looped video, are asked about.
        if (await useCaptions.isVisible()) await useCaptions.click()
        return visited.some((url) => /\/training\/[\w-]{23}\?processing=true$/.test(url))
      },
      { timeout: 60_000 },
    )
    .toBe(true)
}

/** Waits until everything is there: steps show one by one while the rest is still being made. */
export async function untilReady(page: Page, timeout = 100_000): Promise<void> {
  await expect(stepsOf(page).first()).toBeVisible({ timeout })
  await expect(page.getByRole('progressbar')).toBeHidden({ timeout })
}
