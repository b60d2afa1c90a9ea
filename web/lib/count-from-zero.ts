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
    shiftNewCues()
  }
  const shifted = new WeakSet<TextTrackCue>()
  const shiftNewCues = () => shiftCues(video, { startS, shifted })
  // In the capture phase, so that it runs before listeners that seek at the same event.
  video.addEventListener('loadedmetadata', noteStart, { capture: true })
  // The captions may come later than that. A track's event does not bubble.
  video.addEventListener('load', shiftNewCues, { capture: true })
}

/** Cues come from the captions' own file, whose times count from zero. */
function shiftCues(
  { textTracks }: HTMLVideoElement,
  { startS, shifted }: { startS: number; shifted: WeakSet<TextTrackCue> },
): void {
  if (startS === 0) return
  for (const { cues } of textTracks) {
    // A copy: the list is sorted anew with every cue that is shifted.
    for (const cue of Array.from(cues ?? [])) {
      if (shifted.has(cue)) continue
      shifted.add(cue)
      cue.endTime += startS
      cue.startTime += startS
    }
  }
}
