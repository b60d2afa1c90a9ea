// Behaviour: both players report what is played in the same way.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { use } from 'react'
import { expect, test } from 'vitest'
import { FakeStage, renderPage } from '#web/testing/page-harness.tsx'
import { ModuleVideo } from '../module-video.tsx'
import type { PlaybackEvent, PlayerProps } from '../player-handle.ts'
import { PosterVideo } from '../poster-video.tsx'

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

test('a press on the poster that the player interrupts plays the video', async () => {
  const loaded = Promise.withResolvers<void>()
  function LateStage(props: PlayerProps) {
    use(loaded.promise)
    return <FakeStage {...props} />
  }
  renderPage(<PosterVideo src="/video.mp4" title="A roll" />, {
    path: '/',
    url: '/',
    answers: ANSWERS,
    drawStage: (props) => <LateStage {...props} />,
  })
  fireEvent.pointerDown(await screen.findByRole('button', { name: 'Play video: A roll' }))
  loaded.resolve()
  await waitFor(() => expect(screen.getByTestId('player')).toHaveAttribute('data-playing', 'true'))
})
