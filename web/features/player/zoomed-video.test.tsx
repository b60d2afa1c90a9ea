import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { LOOK_EVENT, lookAt } from '#web/lib/zoom/look-at.ts'
import { type WaitingEvents, ZoomedVideo } from './zoomed-video.tsx'

const PLUS = new KeyboardEvent('keydown', { key: '+' })

function Watched({ hasKeys = true, first = {} }: { hasKeys?: boolean; first?: WaitingEvents }) {
  const videoRef = useRef<HTMLVideoElement>(null)
  const waiting = useRef(first)
  return (
    <div className="player" data-testid="player" tabIndex={-1}>
      <video ref={videoRef} data-testid="video" muted />
      <ZoomedVideo {...{ videoRef, hasKeys, waiting }} takeZoom={() => {}} />
    </div>
  )
}

/** jsdom's own list of tracks has no events. */
const track = Object.assign(new EventTarget(), { mode: 'showing', activeCues: [] as unknown[] })
const tracks = Object.assign(new EventTarget(), { [Symbol.iterator]: () => [track].values() })

beforeEach(() => {
  Object.defineProperty(HTMLMediaElement.prototype, 'textTracks', { configurable: true, value: tracks })
})

const transform = () => screen.getByTestId('video').style.transform
const press = (key: string) => fireEvent.keyDown(screen.getByTestId('player'), { key })

test('keys enlarge the video, and one button shows the whole again', () => {
  render(<Watched />)
  expect(screen.queryByRole('button')).toBeNull()
  press('+')
  press('+')
  expect(transform()).toContain('scale(2.25)')
  press('-')
  expect(transform()).toContain('scale(1.5)')
  fireEvent.click(screen.getByRole('button', { name: 'Whole picture' }))
  expect(transform()).toBe('')
  expect(screen.getByTestId('player')).toHaveFocus()
  expect(screen.queryByRole('button')).toBeNull()
})

test('the key that loaded it counts', () => {
  render(<Watched first={{ keydown: PLUS }} />)
  expect(transform()).toContain('scale(1.5)')
})

test('shows the part that is asked for, also the one that loaded it, with the way back to the whole', () => {
  const part = { x: 50, y: 0, width: 50, height: 50 }
  const first = new CustomEvent(LOOK_EVENT, { detail: part })
  render(<Watched first={{ [LOOK_EVENT]: first }} />)
  // jsdom's frame has no size.
  expect(transform()).toContain('scale(2)')
  fireEvent.click(screen.getByRole('button', { name: 'Whole picture' }))
  expect(transform()).toBe('')
  const video = screen.getByTestId<HTMLVideoElement>('video')
  act(() => lookAt(video, { ...part, width: 25, height: 25 }))
  expect(transform()).toContain('scale(4)')
  act(() => lookAt(video, null))
  expect(transform()).toBe('')
})

test('keys that are off do nothing', () => {
  render(<Watched hasKeys={false} first={{ keydown: PLUS }} />)
  press('+')
  expect(transform()).toBe('')
})

test('shows captions of their usual size over the enlarged video', () => {
  render(<Watched />)
  press('+')
  const text = document.createElement('b')
  text.append('Press the latch')
  track.activeCues = [{ getCueAsHTML: () => text }]
  fireEvent(track as unknown as Element, new Event('cuechange'))
  expect(screen.getByText('Press the latch')).toBeVisible()
  track.mode = 'disabled'
  fireEvent(tracks as unknown as Element, new Event('change'))
  expect(screen.queryByText('Press the latch')).toBeNull()
})
