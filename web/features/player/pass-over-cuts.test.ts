import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { passOver } from './pass-over-cuts.tsx'

const CUTS = [
  [10, 22],
  [50, 60],
] as const

/** jsdom plays nothing: the test moves the time and says so. */
class FakeVideo extends EventTarget {
  currentTime = 0
  paused = true
  seeking = false
  playbackRate = 1
  duration = 60
  currentSrc = 'https://adapt.test/video'
  buffered = { length: 0, start: () => 0, end: () => 0 }
}

let video: FakeVideo
let end: () => void
const opened: HTMLVideoElement[] = []

function report(type: string, seconds = video.currentTime) {
  video.currentTime = seconds
  video.dispatchEvent(new Event(type))
}

function play() {
  video.paused = false
  report('play')
}

function seek(seconds: number) {
  video.seeking = true
  report('seeking', seconds)
  report('seeking')
  video.seeking = false
  report('seeked')
}

beforeEach(() => {
  vi.useFakeTimers()
  video = new FakeVideo()
  const create = document.createElement.bind(document)
  vi.spyOn(document, 'createElement').mockImplementation((name: string) => {
    const element = create(name)
    if (element instanceof HTMLVideoElement) opened.push(element)
    return element
  })
  end = passOver(video as unknown as HTMLVideoElement, CUTS)
})

afterEach(() => {
  end()
  opened.length = 0
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('plays over a cut as soon as it is reached', () => {
  play()
  report('timeupdate', 9.8)
  expect(video.currentTime).toBe(9.8)
  video.currentTime = 10.02
  vi.advanceTimersByTime(250)
  expect(video.currentTime).toBe(22)
})

test('waits less where it plays faster', () => {
  video.playbackRate = 2
  play()
  report('timeupdate', 9.6)
  video.currentTime = 10.01
  vi.advanceTimersByTime(229)
  expect(video.currentTime).toBe(10.01)
  vi.advanceTimersByTime(2)
  expect(video.currentTime).toBe(22)
})

test('a link or a press into a cut leads behind it', () => {
  seek(15)
  expect(video.currentTime).toBe(22)
  seek(55)
  expect(video.currentTime).toBe(60)
})

test('a cut to the end of a video that is a little shorter than was measured ends it, once', () => {
  video.duration = 59.5
  let seeks = 0
  video.addEventListener('seeking', () => (seeks += 1))
  seek(55)
  expect(video.currentTime).toBe(59.5)
  report('seeking')
  expect(video.currentTime).toBe(59.5)
  expect(seeks).toBe(3)
})

test('a step back passes over a cut, and a place that was chosen further back does not', () => {
  seek(23)
  seek(18)
  expect(video.currentTime).toBe(6)
  seek(49)
  seek(12)
  expect(video.currentTime).toBe(22)
})

test('stays where a browser has rounded the end of a cut', () => {
  report('timeupdate', 21.98)
  expect(video.currentTime).toBe(21.98)
})

test('loads what comes next before it jumps, once, and only where it is not loaded', () => {
  play()
  report('timeupdate', 0.1)
  report('timeupdate', 0.3)
  expect(opened.map(({ src, muted, preload }) => [src, muted, preload])).toEqual([[video.currentSrc, true, 'auto']])
  video.buffered = { length: 1, start: () => 0, end: () => 70 }
  report('timeupdate', 45)
  expect(opened).toHaveLength(1)
})

test('loads no more of another quality than the one that plays', () => {
  play()
  report('timeupdate', 0.1)
  video.currentSrc = 'https://adapt.test/video/small'
  report('emptied')
  expect(opened[0]?.getAttribute('src')).toBe('')
  report('timeupdate', 0.3)
  expect(opened.map(({ src }) => src).slice(1)).toEqual([video.currentSrc])
})

test('does nothing once it has ended', () => {
  end()
  seek(15)
  expect(video.currentTime).toBe(15)
})
