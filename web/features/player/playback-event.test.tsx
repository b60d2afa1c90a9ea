import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderPage } from '#web/testing/page-harness.tsx'
import { ModuleVideo } from './module-video.tsx'
import type { PlaybackEvent } from './player-handle.ts'
import { PosterVideo } from './poster-video.tsx'

const ANSWERS = { 'GET /video-url': { success: true, url: 'https://videos.test/m1.mp4' } }

test.each([
  [
    'signed-in people',
    (onPlayback: (event: PlaybackEvent) => void) => (
      <ModuleVideo urlPath="/video-url" title="A roll" onPlayback={onPlayback} />
    ),
  ],
  [
    'visitors',
    (onPlayback: (event: PlaybackEvent) => void) => (
      <PosterVideo src="/video.mp4" title="A roll" onPlayback={onPlayback} />
    ),
  ],
])('the page of %s receives the events of its video', async (_who, draw) => {
  const events: PlaybackEvent[] = []
  renderPage(
    draw((event) => events.push(event)),
    { path: '/', url: '/', answers: ANSWERS },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Let 15 seconds pass' }))
  expect(events).toEqual([{ kind: 'time', seconds: 15, isPlaying: false }])
})
