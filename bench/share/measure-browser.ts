import type { Browser, Page } from 'playwright-core'
import { openBrowser, openSlowPage, readMarks, SLOW } from '../browser.ts'
import { mapValues } from '../rounds.ts'
import { median } from '../scenario.ts'

export const PHONE = { ...SLOW, runs: 5 }
/** Without a long task for this long, a page counts as interactive (Lighthouse, "Time to Interactive"). */
const QUIET_MS = 5_000

export async function measureBrowser(address: string) {
  const browser = await openBrowser()
  try {
    const first = await measureVisit(browser, address)
    const visits = [first]
    while (visits.length < PHONE.runs) visits.push(await measureVisit(browser, address))
    return mapValues({ ...first }, (_, name) => median(visits.map((visit) => visit[name])))
  } finally {
    await browser.close()
  }
}

async function measureVisit(browser: Browser, address: string) {
  const quiet = await openPhone(browser)
  await quiet.goto(address)
  await quiet.waitForSelector('.player-big-play')
  await quiet.waitForTimeout(QUIET_MS)
  const { lcpMs: largestPaintMs, firstPaintMs, tasks, layoutShift } = await readMarks(quiet)
  /** Steps can be read and pressed. */
  const usableMs = await quiet.evaluate(() => (window as unknown as { benchUsableMs: number }).benchUsableMs)
  const interactiveMs = Math.max(firstPaintMs, usableMs, tasks.at(-1)?.endMs ?? 0)
  /** From pressing play, once the page is quiet, to the first frame that moves; and pressed as early as can be. */
  const clickToFrameMs = await measureClick(quiet)
  await quiet.context().close()
  const early = await openPhone(browser)
  await early.goto(address, { waitUntil: 'commit' })
  const earlyClickToFrameMs = await measureClick(early)
  await early.context().close()
  return { largestPaintMs, usableMs, interactiveMs, layoutShift, clickToFrameMs, earlyClickToFrameMs }
}

async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  const { page } = await openSlowPage(context)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('#step-1 button') === null) return
      observer.disconnect()
      // Drawn, and not only there.
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { benchUsableMs: performance.now() })))
    }).observe(document, { childList: true, subtree: true })
  })
  return page
}

/** Presses whatever plays the video, as soon as it is there, and waits until an image moves. */
function measureClick(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const until = async <T>(find: () => T | null): Promise<T> => {
      for (;;) {
        const found = find()
        if (found !== null) return found
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    }
    const button = await until(() => document.querySelector<HTMLElement>('button[aria-label^="Play video"]'))
    const pressedMs = performance.now()
    button.click()
    await until(() => {
      const video = document.querySelector('video')
      return video !== null && video.currentTime > 0 && video.readyState >= 2 ? video : null
    })
    return performance.now() - pressedMs
  })
}
