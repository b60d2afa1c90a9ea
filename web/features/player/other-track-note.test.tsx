import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import type { AudioTrack } from '#contract/module.ts'
import { OtherTrackNote } from './other-track-note.tsx'

const GERMAN: AudioTrack = { trackId: 1, language: 'de', name: null, isPlayed: true, isTranscribed: false }
const ENGLISH: AudioTrack = { trackId: 2, language: 'en', name: 'Director', isPlayed: false, isTranscribed: true }

function Watched({ tracks }: { tracks: readonly AudioTrack[] }) {
  const videoRef = useRef<HTMLVideoElement>(null)
  return (
    <>
      <video ref={videoRef} data-testid="video" muted />
      <OtherTrackNote {...{ videoRef, tracks }} keepAs="m1" />
    </>
  )
}

/** @param switchable what Safari has, and no other browser */
function open(tracks: readonly AudioTrack[], switchable?: { id: string; enabled: boolean }[]) {
  const view = render(<Watched tracks={tracks} />)
  const video = screen.getByTestId('video')
  if (switchable) Object.defineProperty(video, 'audioTracks', { value: switchable })
  fireEvent.loadedMetadata(video)
  return view
}

const findNote = () => screen.queryByText(/^The steps follow another audio track/)

test('says once for a video that the steps are of another track', async () => {
  const { unmount } = open([GERMAN, ENGLISH])
  expect(findNote()).toHaveTextContent('than the one you hear: English – Director')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(findNote()).toBeNull()
  unmount()
  open([GERMAN, ENGLISH])
  expect(findNote()).toBeNull()
})

test('says it again for another track', () => {
  open([GERMAN, ENGLISH]).unmount()
  open([GERMAN, { ...ENGLISH, isTranscribed: false }, { ...ENGLISH, trackId: 3, name: null }])
  expect(findNote()).toHaveTextContent(/: English$/)
})

test.each([
  [
    'it is the one that is heard',
    [
      { ...GERMAN, isTranscribed: true },
      { ...ENGLISH, isTranscribed: false },
    ],
  ],
  ['the steps are of captions', [GERMAN, { ...ENGLISH, isTranscribed: false }]],
  [
    'the steps are of several speakers',
    [{ ...GERMAN, trackId: 3 }, { ...GERMAN, isPlayed: false, isTranscribed: true }, ENGLISH],
  ],
  ['there is but one', []],
])('says nothing where %s', (_, tracks) => {
  open(tracks)
  expect(findNote()).toBeNull()
})

test('plays the track of the steps where the browser can, and says nothing', () => {
  const switchable = [
    { id: '1', enabled: true },
    { id: '2', enabled: false },
  ]
  open([GERMAN, ENGLISH], switchable)
  expect(switchable.map(({ enabled }) => enabled)).toEqual([false, true])
  expect(findNote()).toBeNull()
})

test('leaves the tracks as they are where the steps are of several speakers', () => {
  const switchable = [
    { id: '1', enabled: true },
    { id: '2', enabled: false },
  ]
  open([{ ...GERMAN, isTranscribed: true }, ENGLISH], switchable)
  expect(switchable.map(({ enabled }) => enabled)).toEqual([true, false])
})

test('says it where the browser knows no such track', () => {
  open([GERMAN, ENGLISH], [{ id: '1', enabled: true }])
  expect(findNote()).toBeVisible()
})
