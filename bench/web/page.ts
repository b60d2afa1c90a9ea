import type { Page } from 'playwright-core'
import { SLOW } from '../browser.ts'

/** What the numbers are measured with. */
export const CONDITIONS = {
  runs: 5,
  ...SLOW,
  /** Of the list that is typed at. */
  typedModules: 1_000,
  fewModules: 10,
  manyModules: 10_000,
  /** Pairs of calls, one to each list, one after the other. */
  callPairs: 100,
} as const

/** How far a figure may go. */
export const GATES = {
  landingKbGz: 140,
  /** Of the longest task, to the same computation on the same page: 200 ms on a machine of 2020. */
  longTaskRatio: 2.5,
  apiRatio: 1.5,
} as const

/** What Core Web Vitals call good; for comparison. */
export const GOOD = { lcpMs: 2_500, interactionMs: 200 } as const

/** What the page reports while it is used, in ms since it was opened. */
export interface PageTimes {
  firstPaintMs: number
  /** When the largest thing in the window was last drawn. */
  lcpMs: number
}

interface WatchedWindow {
  benchWatch: { lcpMs: number; longTasksMs: number[]; interactionsMs: number[] }
}

/** Event Timing reports no event that took less. */
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

/** The longest that an interaction and a task took since the last call; 0 where none was long enough to be reported. */
export async function takeLongest(page: Page): Promise<{ interactionMs: number; taskMs: number }> {
  // Event Timing reports an event with the frame after it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  return page.evaluate(() => {
    const watch = (window as unknown as WatchedWindow).benchWatch
    const longest = { interactionMs: Math.max(0, ...watch.interactionsMs), taskMs: Math.max(0, ...watch.longTasksMs) }
    watch.interactionsMs.length = 0
    watch.longTasksMs.length = 0
    return longest
  })
}
