import type { ConnectionSpeed } from './connection-speed.ts'
import { measureSpeed } from './measure-speed.ts'
import { keepSpeed, readSpeed } from './speed-cache.ts'

/** Specification §9. */
const TEST_AGAIN_AFTER_MS = 10 * 60_000

interface MonitorState {
  speed: ConnectionSpeed
  /** Null before the first test. */
  testedAtMs: number | null
}

/**
 * How fast the connection is: measured once, again when the browser comes back online, and every ten minutes while
 * the page is visible and its visitor is signed in.
 */
export class ConnectionMonitor {
  private readonly listeners = new Set<() => void>()
  private state: MonitorState = readFirst()
  private isSignedIn = false
  private latestTest = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  getState = (): MonitorState => this.state

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** @returns the way to stop. */
  start(): () => void {
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('offline', () => this.goOffline(), { signal })
    window.addEventListener('online', () => void this.test(), { signal })
    document.addEventListener('visibilitychange', () => this.testWhenDue(), { signal })
    this.plan()
    if (this.state.testedAtMs === null && this.latestTest === 0) void this.test()
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
    this.latestTest += 1
    const thisTest = this.latestTest
    this.set({ ...this.state, speed: 'testing' })
    const speed = await measureOrSlow()
    // Discards the result: the browser went offline, or a newer test began.
    if (this.latestTest !== thisTest) return
    this.set({ speed, testedAtMs: Date.now() })
    this.plan()
  }

  private goOffline(): void {
    this.latestTest += 1
    this.set({ ...this.state, speed: 'offline' })
  }

  private plan(): void {
    clearTimeout(this.timer)
    const dueAtMs = (this.state.testedAtMs ?? Date.now()) + TEST_AGAIN_AFTER_MS
    this.timer = setTimeout(() => this.testWhenDue(), Math.max(0, dueAtMs - Date.now()))
  }

  private testWhenDue(): void {
    const { speed, testedAtMs } = this.state
    const isDue = testedAtMs !== null && Date.now() - testedAtMs >= TEST_AGAIN_AFTER_MS && speed !== 'testing'
    const isLookedAt = this.isSignedIn && document.visibilityState === 'visible'
    if (isDue && isLookedAt) void this.test()
  }

  private set(state: MonitorState): void {
    this.state = state
    for (const listener of this.listeners) listener()
  }
}

function readFirst(): MonitorState {
  const kept = readSpeed(Date.now())
  if (!navigator.onLine) return { speed: 'offline', testedAtMs: kept?.testedAtMs ?? null }
  return kept ?? { speed: 'testing', testedAtMs: null }
}

async function measureOrSlow(): Promise<'fast' | 'medium' | 'slow'> {
  try {
    const speed = await measureSpeed()
    keepSpeed({ speed, testedAtMs: Date.now() })
    return speed
  } catch (error) {
    console.warn('The connection speed could not be tested', error)
    return 'slow'
  }
}
