import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { lookAt } from '#web/lib/zoom/look-at.ts'
import { Player } from './player-store.ts'
import { PlayerZoom } from './player-zoom.tsx'

function Watched() {
  const videoRef = useRef<HTMLVideoElement>(null)
  return (
    <Player>
      <div className="player" data-testid="player">
        <video ref={videoRef} data-testid="video" muted />
        <PlayerZoom {...{ videoRef }} hasKeys />
      </div>
    </Player>
  )
}

const LEFT = { x: 0, y: 0, width: 50, height: 50 }

// Nothing is waited for between the events, so that the part of the player is not there yet.
test('shows what was asked for last while it was loaded, whatever else was heard meanwhile', async () => {
  const tracks = Object.assign(new EventTarget(), { [Symbol.iterator]: () => [].values() })
  Object.defineProperty(HTMLMediaElement.prototype, 'textTracks', { configurable: true, value: tracks })
  render(<Watched />)
  const video = screen.getByTestId<HTMLVideoElement>('video')
  fireEvent.keyDown(screen.getByTestId('player'), { key: 'Tab' })
  act(() => lookAt(video, LEFT))
  act(() => lookAt(video, { ...LEFT, width: 25, height: 25 }))
  expect(video.style.transform).toBe('')
  await waitFor(() => expect(video.style.transform).toContain('scale(4)'))
  act(() => lookAt(video, LEFT))
  expect(video.style.transform).toContain('scale(2)')
})
