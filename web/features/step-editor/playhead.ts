import { useSyncExternalStore } from 'react'

/** The video of the page, as far as the editor needs it. Seconds. */
export interface Playhead {
  /** Null while there is no video. */
  readTimeS: () => number | null
  preview: (startS: number, endS: number) => void
  /** The video, to draw what it shows; null before it is loaded. */
  readVideo: () => HTMLVideoElement | null
  subscribe: (listener: () => void) => () => void
}

/** The second that the video shows, and draws again when it becomes another; null while there is no video. */
export function usePlayheadSecond({ subscribe, readTimeS }: Playhead): number | null {
  return useSyncExternalStore(subscribe, () => {
    const timeS = readTimeS()
    return timeS === null ? null : Math.floor(timeS)
  })
}
