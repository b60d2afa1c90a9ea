import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeVtt } from '#media/write-captions.ts'
import { findPauses, hasten } from './fast-pauses.tsx'
import { changeSettings } from './player-settings.ts'

let video: HTMLVideoElement
let heard: number[]
let end: () => void
/** Null: the video says at once that its speed has changed, otherwise as browsers do, later. */
let queued: Event[] | null

beforeEach(() => {
  changeSettings({ rate: 1 })
  heard = []
  queued = null
  video = document.createElement('video')
  document.body.append(video)
  let rate = 1
  // jsdom does not say that the speed has changed.
  Object.defineProperty(video, 'playbackRate', {
    get: () => rate,
    set(next: number) {
      rate = next
      if (queued === null) video.dispatchEvent(new Event('ratechange'))
      else queued.push(new Event('ratechange'))
    },
  })
  // As the player keeps what is chosen.
  video.addEventListener('ratechange', () => {
    heard.push(video.playbackRate)
    changeSettings({ rate: video.playbackRate })
  })
  end = hasten(video, [[10, 20]])
})

afterEach(() => {
  end()
  video.remove()
})

function playTo(seconds: number): number {
  video.currentTime = seconds
  video.dispatchEvent(new Event('timeupdate'))
  return video.playbackRate
}

test('plays pauses faster, and what is said at the chosen speed, which stays the chosen one', () => {
  expect(playTo(5)).toBe(1)
  expect(playTo(12)).toBe(1.25)
  expect(playTo(20.1)).toBe(1)
  expect(heard).toEqual([])
})

test('goes by another choice at once, never faster than there is', () => {
  playTo(12)
  video.playbackRate = 1.5
  expect(heard).toEqual([1.5])
  expect(video.playbackRate).toBe(1.875)
  video.playbackRate = 2
  expect(playTo(13)).toBe(2)
  expect(playTo(21)).toBe(2)
})

test('keeps a choice that the video has not told of yet', () => {
  playTo(12)
  queued = []
  video.playbackRate = 2
  expect(playTo(12.2)).toBe(2)
  for (const event of queued) video.dispatchEvent(event)
  expect(heard).toEqual([2])
  expect(playTo(13)).toBe(2)
})

test('gives the chosen speed back when it is switched off in a pause', () => {
  playTo(12)
  end()
  expect(video.playbackRate).toBe(1)
  expect(playTo(13)).toBe(1)
})

test('finds pauses between captions, but not before the first, after the last, or where two overlap', () => {
  const cues = [
    { start: 3, end: 5, text: 'Open the cover.' },
    { start: 4, end: 9, text: 'Wait.', speaker: 'Ann' },
    { start: 11, end: 12, text: 'Now close it.' },
    { start: 3_600, end: 3_601.5, text: 'Done.' },
  ]
  const rounded = findPauses(writeVtt(cues)).map((range) => range.map((s) => Math.round(s * 10) / 10))
  expect(rounded).toEqual([[12.4, 3599.6]])
  expect(findPauses('WEBVTT\n')).toEqual([])
})
