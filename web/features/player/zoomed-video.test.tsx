import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { ZoomedVideo } from './zoomed-video.tsx'

const PLUS = new KeyboardEvent('keydown', { key: '+' })

function Watched({ hasKeys = true, firstKey = null }: { hasKeys?: boolean; firstKey?: KeyboardEvent | null }) {
  const videoRef = useRef<HTMLVideoElement>(null)
  return (
    <div className="player" data-testid="player" tabIndex={-1}>
      <video ref={videoRef} data-testid="video" muted />
      <ZoomedVideo {...{ videoRef, hasKeys, firstKey }} takeZoom={() => {}} />
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
  render(<Watched firstKey={PLUS} />)
  expect(transform()).toContain('scale(1.5)')
})

test('keys that are off do nothing', () => {
  render(<Watched hasKeys={false} firstKey={PLUS} />)
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
