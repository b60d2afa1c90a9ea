import { fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlayerHandle } from './player-handle.ts'
import { useVideoPosition } from './use-video-position.ts'

const player = createRef<PlayerHandle>()

function Video() {
  const { videoRef, events } = useVideoPosition({ ref: player, src: '/video.mp4', title: 'Video' })
  return <video {...events} ref={videoRef} data-testid="video" muted />
}

/** jsdom plays nothing: the test moves the time and says so. */
function openVideo() {
  render(<Video />)
  const video = screen.getByTestId<HTMLVideoElement>('video')
  Object.defineProperty(video, 'readyState', { value: 4 })
  const play = vi.fn(() => Promise.resolve())
  const pause = vi.fn(() => {
    fireEvent.pause(video)
  })
  Object.assign(video, { play, pause })
  function reach(seconds: number) {
    video.currentTime = seconds
    fireEvent.timeUpdate(video)
  }
  fireEvent.loadedMetadata(video)
  return { video, play, pause, reach }
}

describe('playRange', () => {
  let open: ReturnType<typeof openVideo>

  beforeEach(() => {
    open = openVideo()
    player.current?.playRange(10, 20)
  })

  test('plays from its start and stops at its end, once', () => {
    const { video, play, pause, reach } = open
    expect(video.currentTime).toBe(10)
    expect(play).toHaveBeenCalledTimes(1)
    reach(19.9)
    expect(pause).not.toHaveBeenCalled()
    reach(20.1)
    expect(pause).toHaveBeenCalledTimes(1)
    reach(20.3)
    expect(pause).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['goes somewhere else', () => player.current?.seekTo(12)],
    ['pauses before', () => fireEvent.pause(open.video)],
    ['has moved past the end', () => open.reach(40)],
  ])('does not stop a viewer who %s', (_what, act) => {
    act()
    open.reach(20.1)
    expect(open.pause).not.toHaveBeenCalled()
  })
})
