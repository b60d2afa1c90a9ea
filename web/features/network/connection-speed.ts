import { useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import * as m from '#messages'
import { keepStored, readStored } from '#web/lib/browser-state.ts'
import { useStore } from '#web/lib/use-store.ts'

/** @see specification §4 */
type MeasuredSpeed = 'fast' | 'medium' | 'slow'
export type ConnectionSpeed = 'testing' | MeasuredSpeed | 'offline'

/** Round trips below this. @see specification §9 */
const FAST_BELOW_MS = 200
const MEDIUM_BELOW_MS = 800

export function judgeRoundTrip(roundTripMs: number): MeasuredSpeed {
  if (roundTripMs < FAST_BELOW_MS) return 'fast'
  return roundTripMs < MEDIUM_BELOW_MS ? 'medium' : 'slow'
}

/** What the speed means for videos, in the specification's words. */
export const SPEED_MESSAGES: Record<ConnectionSpeed, string> = {
  fast: m.excellent_connection_upload_large_videos(),
  medium: m.good_connection_videos_up_to(),
  slow: m.slow_connection_consider_compressing_videos(),
  offline: m.no_internet_connection(),
  testing: m.testing_connection_speed(),
}

const MINUTE_MS = 60_000
const HOUR_MIN = 60

/** `Never`, `Just now`, `5m ago`, `2h ago`. */
export function formatLastTested(testedAtMs: number | null, nowMs: number): string {
  if (testedAtMs === null) return m.never_tested()
  const minutes = Math.floor((nowMs - testedAtMs) / MINUTE_MS)
  if (minutes < 1) return m.just_now()
  return minutes < HOUR_MIN
    ? m.minutes_ago_short({ count: minutes })
    : m.hours_ago_short({ count: Math.floor(minutes / HOUR_MIN) })
}

/** Times one call that no cache may answer, and keeps the result. A call that fails counts as slow. */
async function measureSpeed(): Promise<MeasuredSpeed> {
  try {
    const startedAtMs = performance.now()
    const response = await fetch('/api/health', {
      cache: 'no-store',
      headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`health answered ${response.status}`)
    const speed = judgeRoundTrip(readRoundTripMs(response.url, startedAtMs) ?? performance.now() - startedAtMs)
    // An answer that nobody reads keeps its connection busy until the call times out.
    await response.arrayBuffer()
    keepStored(SPEED_KEY, speed)
    keepStored(TESTED_AT_KEY, String(Date.now()))
    return speed
  } catch (error) {
    console.warn('The connection speed could not be tested', error)
    return 'slow'
  }
}

/**
 * The time between the call's last byte and the answer's first one. What the page itself is busy with, and waiting for a
 * free connection, says nothing about the line. @returns null where the browser has not noted it
 */
function readRoundTripMs(url: string, sinceMs: number): number | null {
  // Not every browser keeps such entries.
  const entries = (performance.getEntriesByName?.(url, 'resource') ?? []) as PerformanceResourceTiming[]
  const entry = entries.findLast(({ startTime }) => startTime >= sinceMs - 1)
  return entry !== undefined && entry.responseStart > 0 ? entry.responseStart - entry.requestStart : null
}

/** Names fixed by the specification, §3. */
const SPEED_KEY = 'adapt_connection_speed'
const TESTED_AT_KEY = 'adapt_speed_test_timestamp'
/** Specification §9. */
const REUSED_FOR_MS = 5 * 60_000

/** Specification §9. */
const TEST_AGAIN_AFTER_MS = 10 * 60_000

interface MonitorState {
  speed: ConnectionSpeed
  /** Null before the first test. */
  testedAtMs: number | null
}

/** What was measured in the last five minutes, also on a page before this one. */
function readFirst(): MonitorState {
  const speed = readStored(SPEED_KEY)
  const testedAtMs = Number(readStored(TESTED_AT_KEY) ?? Number.NaN)
  const ageMs = Date.now() - testedAtMs
  const isMeasured = speed === 'fast' || speed === 'medium' || speed === 'slow'
  const isFresh = isMeasured && ageMs >= 0 && ageMs < REUSED_FOR_MS
  if (!navigator.onLine) return { speed: 'offline', testedAtMs: isFresh ? testedAtMs : null }
  return isFresh ? { speed, testedAtMs } : { speed: 'testing', testedAtMs: null }
}

/**
 * How fast the connection is: measured once, again when the browser comes back online, and every ten minutes while
 * the page is visible and its visitor is signed in.
 */
class ConnectionMonitor {
  readonly store = createStore(readFirst)
  private isSignedIn = false
  private latestTest = 0
  private isTesting = false
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @returns the way to stop. */
  start(): () => void {
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('offline', () => this.goOffline(), { signal })
    window.addEventListener('online', () => void this.test(), { signal })
    document.addEventListener('visibilitychange', () => this.testWhenDue(), { signal })
    this.plan()
    if (this.store.getState().testedAtMs === null && this.latestTest === 0) void this.test()
    return () => {
      stop.abort()
      clearTimeout(this.timer)
    }
  }

  setSignedIn(isSignedIn: boolean): void {
    this.isSignedIn = isSignedIn
    this.testWhenDue()
  }

  test = async (): Promise<void> => {
    if (!navigator.onLine) return
    this.store.setState({ speed: 'testing' })
    await this.measure()
  }

  private async measure(): Promise<void> {
    this.latestTest += 1
    const thisTest = this.latestTest
    this.isTesting = true
    const speed = await measureSpeed()
    // Discards the result: the browser went offline, or a newer test began.
    if (this.latestTest !== thisTest) return
    this.isTesting = false
    this.store.setState({ speed, testedAtMs: Date.now() })
    this.plan()
  }

  private goOffline(): void {
    this.latestTest += 1
    this.isTesting = false
    this.store.setState({ speed: 'offline' })
  }

  private plan(): void {
    clearTimeout(this.timer)
    const dueAtMs = (this.store.getState().testedAtMs ?? Date.now()) + TEST_AGAIN_AFTER_MS
    this.timer = setTimeout(() => this.testWhenDue(), Math.max(0, dueAtMs - Date.now()))
  }

  /** Goes on showing what is known: a badge that changes though the line does not would only draw the eye. */
  private testWhenDue(): void {
    const { testedAtMs } = this.store.getState()
    const isDue = testedAtMs !== null && Date.now() - testedAtMs >= TEST_AGAIN_AFTER_MS && !this.isTesting
    const isLookedAt = this.isSignedIn && document.visibilityState === 'visible'
    if (isDue && isLookedAt && navigator.onLine) void this.measure()
  }
}

export interface Connection extends MonitorState {
  test: () => void
}

export function useConnectionSpeed({ isSignedIn }: { isSignedIn: boolean }): Connection {
  const [monitor] = useState(() => new ConnectionMonitor())
  useEffect(() => monitor.start(), [monitor])
  useEffect(() => monitor.setSignedIn(isSignedIn), [monitor, isSignedIn])
  return { ...useStore(monitor.store), test: monitor.test }
}
