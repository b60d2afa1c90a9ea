import { afterEach, describe, expect, it } from 'vitest'
import { countFromZero } from './count-from-zero.ts'

const { currentTime, duration } = Object.getOwnPropertyDescriptors(HTMLMediaElement.prototype)
afterEach(() => {
  Object.defineProperties(HTMLMediaElement.prototype, { currentTime, duration })
})

/** A video of 26 seconds whose own times begin somewhere, as Chromium reports them. */
function openVideo(beginsAtS: number) {
  let atS = beginsAtS
  Object.defineProperties(HTMLMediaElement.prototype, {
    currentTime: {
      configurable: true,
      get: () => atS,
      set(seconds: number) {
        atS = seconds
      },
    },
    duration: { configurable: true, get: () => beginsAtS + 26 },
  })
  const video = document.createElement('video')
  countFromZero(video)
  video.dispatchEvent(new Event('loadedmetadata'))
  return { video, ownTime: () => atS }
}

/** Cues of a second each, in a list that is live and sorted by their beginnings as a browser's is. */
function addCaptions(video: HTMLVideoElement, startsS: number[]) {
  const list: { startTime: number; endTime: number }[] = []
  for (const startS of startsS) {
    let startTime = startS
    list.push({
      endTime: startS + 1,
      get startTime() {
        return startTime
      },
      set startTime(seconds) {
        startTime = seconds
        list.sort((a, b) => a.startTime - b.startTime)
      },
    })
  }
  Object.defineProperty(video, 'textTracks', { value: [{ cues: list }] })
  return () => list
}

describe('countFromZero', () => {
  it('makes a video that begins at an hour begin at zero', () => {
    const { video, ownTime } = openVideo(3600)
    expect([video.currentTime, video.duration]).toEqual([0, 26])
    video.currentTime = 5
    expect([video.currentTime, ownTime()]).toEqual([5, 3605])
  })

  it('leaves every other video as it is', () => {
    const { video, ownTime } = openVideo(0.021)
    expect([video.currentTime, video.duration]).toEqual([0.021, 26.021])
    video.currentTime = 5
    expect(ownTime()).toBe(5)
  })

  it('forgets where it began with another address', () => {
    const { video, ownTime } = openVideo(3600)
    video.dispatchEvent(new Event('emptied'))
    video.currentTime = 5
    expect(ownTime()).toBe(5)
  })

  describe('shifts all cues of captions', () => {
    const shifted = [3601, 3602, 3603, 3604, 3605, 3606]

    it('that are there when it learns where the video begins', () => {
      const { video } = openVideo(3600)
      const cues = addCaptions(video, [1, 2, 3, 4, 5, 6])
      video.dispatchEvent(new Event('loadedmetadata'))
      expect(cues().map(({ startTime }) => startTime)).toEqual(shifted)
      expect(cues().map(({ endTime }) => endTime)).toEqual(shifted.map((s) => s + 1))
    })

    it('that come later, once', () => {
      const { video } = openVideo(3600)
      const cues = addCaptions(video, [1, 2, 3, 4, 5, 6])
      const track = video.appendChild(document.createElement('track'))
      track.dispatchEvent(new Event('load'))
      track.dispatchEvent(new Event('load'))
      expect(cues().map(({ startTime }) => startTime)).toEqual(shifted)
    })

    it('but of no other video', () => {
      const { video } = openVideo(0.021)
      const cues = addCaptions(video, [1, 2])
      video.dispatchEvent(new Event('loadedmetadata'))
      expect(cues().map(({ startTime }) => startTime)).toEqual([1, 2])
    })
  })
})
