/** Less than this is how players and encoders begin. `media/measure-length.ts` counts likewise. */
const LATE_START_S = 1

/**
 * Makes the times of a video count from its first picture or audio. A file that was cut out of a longer recording may
 * begin at an hour: Chromium and Safari count on from there, Firefox from zero, and our times do too. Only `currentTime`,
 * `duration` and the cues of captions are changed, which is all that is read of it.
 */
export function countFromZero(video: HTMLVideoElement): void {
  let startS = 0
  const read = (name: 'currentTime' | 'duration') => Number(Reflect.get(HTMLMediaElement.prototype, name, video))
  Object.defineProperties(video, {
    currentTime: {
      configurable: true,
      get: () => Math.max(0, read('currentTime') - startS),
      set(seconds: number) {
        Reflect.set(HTMLMediaElement.prototype, 'currentTime', seconds + startS, video)
      },
    },
    duration: { configurable: true, get: () => read('duration') - startS },
  })
  video.addEventListener('emptied', () => (startS = 0))
  const noteStart = () => {
    const beginsAtS = read('currentTime')
    startS = beginsAtS >= LATE_START_S ? beginsAtS : 0
  }
  // In the capture phase, so that it runs before listeners that seek at the same event.
  video.addEventListener('loadedmetadata', noteStart, { capture: true })
  shiftCues(video, () => startS)
}

/** Cues come from the captions' own file, whose times count from zero. */
function shiftCues(video: HTMLVideoElement, readStartS: () => number): void {
  const shifted = new WeakSet<TextTrackCue>()
  video.addEventListener('timeupdate', () => {
    const startS = readStartS()
    if (startS === 0) return
    for (const track of video.textTracks) {
      for (const cue of track.cues ?? []) {
        if (shifted.has(cue)) continue
        shifted.add(cue)
        cue.endTime += startS
        cue.startTime += startS
      }
    }
  })
}
