import type { Page } from 'playwright-core'

/** What the page tells of itself while it is used, in ms since it was opened. */
export interface PageTimes {
  firstPaintMs: number
  /** When the largest thing in the window was last drawn anew. */
  lcpMs: number
}

interface WatchedWindow {
  benchWatch: { lcpMs: number; longTasksMs: number[]; interactionsMs: number[] }
}

/** Event Timing tells of nothing that took less. */
const SHORTEST_EVENT_MS = 16

/** To be called before the page is opened. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    const watch: WatchedWindow['benchWatch'] = { lcpMs: 0, longTasksMs: [], interactionsMs: [] }
    Object.assign(window, { benchWatch: watch })
    const observe = (type: string, options: object, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
    observe('largest-contentful-paint', {}, (entry) => {
      watch.lcpMs = entry.startTime
    })
    observe('longtask', {}, (entry) => watch.longTasksMs.push(entry.duration))
    observe('event', { durationThreshold }, (entry) => {
      if ((entry as PerformanceEventTiming).interactionId > 0) watch.interactionsMs.push(entry.duration)
    })
  }, SHORTEST_EVENT_MS)
}

export function readTimes(page: Page): Promise<PageTimes> {
  return page.evaluate(() => ({
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    lcpMs: (window as unknown as WatchedWindow).benchWatch.lcpMs,
  }))
}

/** The longest that an interaction and a task took since the last call; 0 where none was worth telling. */
export async function takeLongest(page: Page): Promise<{ interactionMs: number; taskMs: number }> {
  // Event Timing tells of an event with the frame after it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  return page.evaluate(() => {
    const watch = (window as unknown as WatchedWindow).benchWatch
    const longest = { interactionMs: Math.max(0, ...watch.interactionsMs), taskMs: Math.max(0, ...watch.longTasksMs) }
    watch.interactionsMs.length = 0
    watch.longTasksMs.length = 0
    return longest
  })
}
