import type { Browser, Page } from 'playwright-core'
import { openBrowser, SLOW, slowDown } from '../browser.ts'
import { median } from '../scenario.ts'
import { MODULE_ID } from './measure.ts'

export const PHONE = { ...SLOW, runs: 5 }
/** Without a long task for this long, a page counts as interactive (Lighthouse, "Time to Interactive"). */
const QUIET_MS = 5_000

export interface Paints {
  largestPaintMs: number
  /** Steps can be read and pressed. */
  usableMs: number
  interactiveMs: number
  layoutShift: number
  /** From pressing play, once the page is quiet, to the first frame that moves. */
  clickToFrameMs: number
  /** The same, pressed as soon as there is something to press. */
  earlyClickToFrameMs: number
}

interface Marks {
  largestPaintMs: number
  usableMs: number
  paintMs: number
  lastLongTaskMs: number
  layoutShift: number
}

/** Measures the medians of five first visits. */
export async function measureBrowser(url: string): Promise<Paints> {
  const browser = await openBrowser()
  try {
    const visits: Paints[] = []
    for (let run = 0; run < PHONE.runs; run++) visits.push(await measureVisit(browser, url))
    const middle = (name: keyof Paints) => median(visits.map((visit) => visit[name]))
    return {
      largestPaintMs: middle('largestPaintMs'),
      usableMs: middle('usableMs'),
      interactiveMs: middle('interactiveMs'),
      layoutShift: middle('layoutShift'),
      clickToFrameMs: middle('clickToFrameMs'),
      earlyClickToFrameMs: middle('earlyClickToFrameMs'),
    }
  } finally {
    await browser.close()
  }
}

async function measureVisit(browser: Browser, url: string): Promise<Paints> {
  const quiet = await openPhone(browser)
  await quiet.goto(`${url}/share/${MODULE_ID}`)
  await quiet.waitForSelector('.player-big-play')
  await quiet.waitForTimeout(QUIET_MS)
  const marks = await quiet.evaluate(() => (window as unknown as { benchMarks: Marks }).benchMarks)
  const clickToFrameMs = await measureClick(quiet)
  await quiet.context().close()
  const early = await openPhone(browser)
  await early.goto(`${url}/share/${MODULE_ID}`, { waitUntil: 'commit' })
  const earlyClickToFrameMs = await measureClick(early)
  await early.context().close()
  const { largestPaintMs, usableMs, paintMs, lastLongTaskMs, layoutShift } = marks
  const interactiveMs = Math.max(paintMs, usableMs, lastLongTaskMs)
  return { largestPaintMs, usableMs, interactiveMs, layoutShift, clickToFrameMs, earlyClickToFrameMs }
}

async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await slowDown(page)
  await page.addInitScript(watchMarks)
  return page
}

/** Runs in the page, before anything else does. */
function watchMarks(): void {
  const marks: Marks = { largestPaintMs: 0, usableMs: 0, paintMs: 0, lastLongTaskMs: 0, layoutShift: 0 }
  Object.assign(window, { benchMarks: marks })
  function watch(type: string, take: (entry: PerformanceEntry) => void) {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  }
  watch('largest-contentful-paint', (entry) => {
    marks.largestPaintMs = entry.startTime
  })
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') marks.paintMs = entry.startTime
  })
  watch('longtask', (entry) => {
    marks.lastLongTaskMs = entry.startTime + entry.duration
  })
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) marks.layoutShift += value
  })
  new MutationObserver((_, observer) => {
    if (document.querySelector('#step-1 button') === null) return
    observer.disconnect()
    // Drawn, and not only there.
    requestAnimationFrame(() => {
      setTimeout(() => {
        marks.usableMs = performance.now()
      })
    })
  }).observe(document, { childList: true, subtree: true })
}

/** Presses whatever plays the video, as soon as it is there, and waits until a image moves. */
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
