import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useConnectionSpeed } from './connection-speed.ts'
import { CompactNetworkBadge, FullNetworkBadge } from './network-badge.tsx'

const MINUTE_MS = 60_000
const SPEED_KEY = 'adapt_connection_speed'
const TESTED_AT_KEY = 'adapt_speed_test_timestamp'

let roundTripMs: number
let status: number
let requests: RequestInit[]
let responses: Response[]

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T09:00:00Z') })
  localStorage.clear()
  roundTripMs = 50
  status = 200
  requests = []
  responses = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    expect(path).toBe('/api/health')
    requests.push(init)
    await new Promise((resolve) => setTimeout(resolve, roundTripMs))
    const response = new Response('{}', { status })
    responses.push(response)
    return response
  })
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Badges({ isSignedIn }: { isSignedIn: boolean }) {
  const connection = useConnectionSpeed({ isSignedIn })
  return (
    <>
      <CompactNetworkBadge speed={connection.speed} />
      <FullNetworkBadge {...connection} />
    </>
  )
}

function open({ isSignedIn = true } = {}) {
  render(<Badges isSignedIn={isSignedIn} />)
}

const pass = (durationMs: number) => act(() => vi.advanceTimersByTimeAsync(durationMs))
const advice = () => screen.getByText(/connection/, { selector: 'p[aria-live]' }).textContent

function goOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

describe('the connection test', () => {
  it('reads the whole answer, so that the call does not stay open', async () => {
    open()
    await pass(roundTripMs)
    expect(responses.map(({ bodyUsed }) => bodyUsed)).toEqual([true])
  })

  it('says that it is testing, then what it has found, and keeps it', {
    tags: ['spec-3.10', 'spec-4.14'],
  }, async () => {
    open()
    expect(advice()).toBe('Testing connection speed...')
    expect(screen.getByText('Last tested: Never')).toBeVisible()
    await pass(60)
    expect(advice()).toBe('Excellent connection - upload large videos freely')
    expect(screen.getByText('Last tested: Just now')).toBeVisible()
    expect(screen.getByText('Fast')).toBeVisible()
    expect(localStorage.getItem(SPEED_KEY)).toBe('fast')
    expect(Number(localStorage.getItem(TESTED_AT_KEY))).toBe(Date.now() - 10)
  })

  it('lets no cache answer', { tags: 'spec-7.15' }, async () => {
    open()
    expect(requests[0]?.cache).toBe('no-store')
    expect(new Headers(requests[0]?.headers).get('cache-control')).toBe('no-cache')
    await pass(60)
  })

  it.each([
    [300, 'Good connection - videos up to 50MB recommended'],
    [900, 'Slow connection - consider compressing videos first'],
  ])('advises after %d ms', { tags: 'spec-4.14' }, async (durationMs, message) => {
    roundTripMs = durationMs
    open()
    await pass(durationMs + 10)
    expect(advice()).toBe(message)
  })

  it('calls a failed test slow and logs a warning', { tags: ['spec-4.15', 'spec-8.14'] }, async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    status = 503
    open()
    await pass(60)
    expect(advice()).toBe('Slow connection - consider compressing videos first')
    expect(warned).toHaveBeenCalledOnce()
  })

  it.each([
    ['reuses', 5 * MINUTE_MS - 1, 0],
    ['does not reuse', 5 * MINUTE_MS, 1],
  ])('the connection test %s a result of %d ms ago', { tags: 'spec-9.11' }, async (_what, ageMs, expected) => {
    localStorage.setItem(SPEED_KEY, 'medium')
    localStorage.setItem(TESTED_AT_KEY, String(Date.now() - ageMs))
    open()
    await pass(60)
    expect(requests).toHaveLength(expected)
  })

  it('is repeated on demand', async () => {
    open()
    await pass(60)
    fireEvent.click(screen.getByRole('button', { name: 'Test the connection again' }))
    expect(advice()).toBe('Testing connection speed...')
    await pass(60)
    expect(requests).toHaveLength(2)
  })
})

describe('going offline', () => {
  it('is shown at once despite a running test, and the speed is tested again when the browser is back online', {
    tags: 'spec-4.15',
  }, async () => {
    open()
    goOnline(false)
    expect(advice()).toBe('No internet connection')
    await pass(60)
    expect(advice()).toBe('No internet connection')
    goOnline(true)
    expect(advice()).toBe('Testing connection speed...')
    await pass(60)
    expect(advice()).toMatch(/^Excellent/)
    expect(requests).toHaveLength(2)
  })
})

describe('every ten minutes', () => {
  it('tests again for who is signed in', { tags: 'spec-9.12' }, async () => {
    open()
    await pass(60)
    await pass(10 * MINUTE_MS)
    expect(requests).toHaveLength(2)
  })

  it('goes on showing what is known until there is another result', { tags: 'spec-9.12' }, async () => {
    open()
    await pass(60)
    roundTripMs = 5_000
    await pass(10 * MINUTE_MS)
    expect(requests).toHaveLength(2)
    expect(advice()).toBe('Excellent connection - upload large videos freely')
    await pass(5_000)
    expect(advice()).toBe('Slow connection - consider compressing videos first')
  })

  it('judges the line, not what the page is busy with', async () => {
    const url = 'http://localhost/api/health'
    vi.stubGlobal('fetch', async () => {
      const startTime = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      const entry = { startTime, requestStart: startTime + 2_900, responseStart: startTime + 2_910 }
      Object.defineProperty(performance, 'getEntriesByName', { configurable: true, value: () => [entry] })
      return Object.defineProperty(new Response('{}'), 'url', { value: url })
    })
    open()
    await pass(3_010)
    expect(advice()).toMatch(/^Excellent/)
    Reflect.deleteProperty(performance, 'getEntriesByName')
  })

  it('leaves visitors alone', { tags: 'spec-9.12' }, async () => {
    open({ isSignedIn: false })
    await pass(60)
    await pass(30 * MINUTE_MS)
    expect(requests).toHaveLength(1)
  })

  it('waits until a hidden tab is looked at', { tags: 'spec-9.12' }, async () => {
    open()
    await pass(60)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await pass(30 * MINUTE_MS)
    expect(requests).toHaveLength(1)
    visibility.mockReturnValue('visible')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await pass(60)
    expect(requests).toHaveLength(2)
  })

  it('does nothing while offline', { tags: 'spec-9.12' }, async () => {
    open()
    await pass(60)
    goOnline(false)
    await pass(30 * MINUTE_MS)
    expect(requests).toHaveLength(1)
  })
})
