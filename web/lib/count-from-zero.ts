/** Less than this is how players and encoders begin. `media/measure-length.ts` counts likewise. */
const LATE_START_S = 1

/**
 * Makes the times of a video count from its first picture or sound. A file that was cut out of a longer recording may
 * begin at an hour: Chromium and Safari count on from there, Firefox from zero, and our times do too. Only `currentTime`,
 * `duration` and the cues of captions are changed, which is all that is read of it.
 */
export function countFromZero(video: HTMLVideoElement): void {
  let startS = 0
  const currentTime = accessorOf('currentTime')
  const duration = accessorOf('duration')
  Object.defineProperties(video, {
    currentTime: {
      configurable: true,
      get: () => Math.max(0, currentTime.get.call(video) - startS),
      set: (seconds: number) => currentTime.set?.call(video, seconds + startS),
    },
    duration: { configurable: true, get: () => duration.get.call(video) - startS },
  })
  video.addEventListener('emptied', () => (startS = 0))
  const noteStart = () => {
    const beginsAtS = currentTime.get.call(video)
    startS = beginsAtS >= LATE_START_S ? beginsAtS : 0
  }
  // Ahead of what seeks at the same event.
  video.addEventListener('loadedmetadata', noteStart, { capture: true })
  shiftCues(video, () => startS)
}

function accessorOf(name: 'currentTime' | 'duration') {
  const accessor = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, name)
  // not-shown: for developers.
  if (accessor?.get === undefined) throw new Error(`A video has no ${name}`)
  return { get: accessor.get as () => number, set: accessor.set }
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
