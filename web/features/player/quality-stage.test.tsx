import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findConnection } from '#web/lib/connection.ts'
import type { Quality } from './quality/choose-quality.ts'
import { STALLED_AFTER_MS } from './quality/watch-stalls.ts'
import { useQuality } from './quality-stage.tsx'

const SMALL = { sizeBytes: 1_000, codec: 'avc1.64001f' }

/** Codes of `MediaError`. */
const [NETWORK_BROKE, NOT_SUPPORTED] = [2, 4]

const TRACK = { trackId: 1, language: 'de', name: null, isPlayed: true, isTranscribed: false }
const TRACKS = [TRACK, { ...TRACK, trackId: 2, isPlayed: false, isTranscribed: true }]

interface WatchedProps {
  onError?: (code: number) => void
  code?: number
  /** What its button chooses. */
  next?: Quality
}

/** A plain video in place of the player, which jsdom cannot draw. */
function Watched({ onError = () => {}, code = NOT_SUPPORTED, next = 'original' }: WatchedProps) {
  const { place, played, reportError, want } = useQuality({
    src: '/share/m1/video',
    audioTracks: TRACKS,
    smallCopy: SMALL,
    onError,
  })
  return (
    <div ref={place}>
      <video data-testid="video" src={played.src} muted onError={() => reportError(code)} />
      <p data-testid="tracks">{played.audioTracks?.length}</p>
      <button type="button" onClick={() => want(next)}>
        {next}
      </button>
    </div>
  )
}

const video = () => screen.getByTestId('video')
const source = () => video().getAttribute('src')
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

function tell(facts: object | undefined): void {
  const value = facts && Object.assign(new EventTarget(), facts)
  Object.defineProperty(navigator, 'connection', { value, configurable: true })
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
  tell(undefined)
})

it('plays the small copy at once where data is spared, and the original for those who want it', () => {
  tell({ saveData: true })
  render(<Watched />)
  expect(source()).toBe('/share/m1/video/small')
  const seen: (string | null)[] = []
  video().addEventListener('timeupdate', () => seen.push(source()))
  fireEvent.click(screen.getByRole('button'))
  // The moment is noted before the address changes.
  expect(seen).toEqual(['/share/m1/video/small'])
  expect(source()).toBe('/share/m1/video')
  expect(localStorage.getItem('adapt_quality')).toBe('original')
})

it('goes on with the small copy once the line becomes one of mobile data', () => {
  tell({ type: 'wifi' })
  render(<Watched />)
  const connection = findConnection()
  const change = () => act(() => void connection?.dispatchEvent(new Event('change')))
  change()
  expect(source()).toBe('/share/m1/video')
  Object.assign(connection ?? {}, { type: 'cellular' })
  change()
  expect(source()).toBe('/share/m1/video/small')
})

it('asks the line anew of those who choose automatic while the small copy plays', () => {
  localStorage.setItem('adapt_quality', 'small')
  tell({ type: 'wifi' })
  render(<Watched next="automatic" />)
  Object.assign(findConnection() ?? {}, { type: 'cellular' })
  fireEvent.click(screen.getByRole('button'))
  expect(localStorage).toHaveLength(0)
  expect(source()).toBe('/share/m1/video/small')
})

it('plays where the browser tells of the line, but not when it changes', () => {
  Object.defineProperty(navigator, 'connection', { value: { type: 'wifi' }, configurable: true })
  render(<Watched />)
  expect(source()).toBe('/share/m1/video')
})

it('has but the track of the steps in the small copy', () => {
  tell({ saveData: true })
  render(<Watched />)
  expect(screen.getByTestId('tracks')).toHaveTextContent('0')
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByTestId('tracks')).toHaveTextContent('2')
})

it('plays the original again where the small copy is gone', () => {
  tell({ type: 'cellular' })
  const onError = vi.fn()
  render(<Watched onError={onError} />)
  fireEvent.error(video())
  expect(source()).toBe('/share/m1/video')
  expect(onError).not.toHaveBeenCalled()
  fireEvent.error(video())
  expect(onError).toHaveBeenCalledWith(NOT_SUPPORTED)
})

it('stays with the small copy where the line breaks', () => {
  tell({ type: 'cellular' })
  const onError = vi.fn()
  render(<Watched onError={onError} code={NETWORK_BROKE} />)
  fireEvent.error(video())
  expect(source()).toBe('/share/m1/video/small')
  expect(onError).toHaveBeenCalledWith(NETWORK_BROKE)
})

it('plays the small copy once the original stalls, and not for a moment of waiting', () => {
  const view = render(<Watched />)
  expect(source()).toBe('/share/m1/video')
  fireEvent.waiting(video())
  pass(STALLED_AFTER_MS - 1)
  fireEvent.playing(video())
  pass(STALLED_AFTER_MS)
  fireEvent.waiting(video())
  fireEvent.pause(video())
  pass(STALLED_AFTER_MS)
  expect(source()).toBe('/share/m1/video')
  fireEvent.waiting(video())
  pass(STALLED_AFTER_MS)
  expect(source()).toBe('/share/m1/video/small')
  view.unmount()
  // The next video begins with it.
  render(<Watched />)
  expect(source()).toBe('/share/m1/video/small')
})
