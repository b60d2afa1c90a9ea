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
})
