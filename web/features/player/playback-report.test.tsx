import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { describe, expect, test } from 'vitest'
import { usePlaybackReport } from './playback-report.ts'
import type { PlaybackEvent } from './player-handle.ts'

const events: PlaybackEvent[] = []

function Video() {
  const videoRef = useRef<HTMLVideoElement>(null)
  usePlaybackReport(videoRef, (event) => events.push(event))
  return <video ref={videoRef} data-testid="video" muted />
}

describe('usePlaybackReport', () => {
  test('reports the time of a video and whether it plays', () => {
    events.length = 0
    render(<Video />)
    const video = screen.getByTestId<HTMLVideoElement>('video')
    const state = { readyState: 0, paused: true, ended: false }
    for (const name of ['readyState', 'paused', 'ended'] as const) {
      Object.defineProperty(video, name, { get: () => state[name] })
    }
    fireEvent.timeUpdate(video)
    expect(events).toEqual([])
    Object.assign(state, { readyState: 4, paused: false })
    fireEvent.play(video)
    video.currentTime = 3
    fireEvent.timeUpdate(video)
    video.currentTime = 40
    fireEvent.seeking(video)
    state.paused = true
    fireEvent.pause(video)
    state.ended = true
    fireEvent.ended(video)
    expect(events).toEqual([
      { kind: 'play', seconds: 0, isPlaying: true },
      { kind: 'time', seconds: 3, isPlaying: true },
      { kind: 'seek', seconds: 40, isPlaying: true },
      { kind: 'pause', seconds: 40, isPlaying: false },
      { kind: 'end', seconds: 40, isPlaying: false },
    ])
  })
})
