import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { PlaybackEvent, PlayerProps } from './player-handle.ts'

const KINDS: Record<string, PlaybackEvent['kind']> = {
  timeupdate: 'time',
  play: 'play',
  pause: 'pause',
  seeking: 'seek',
  ended: 'end',
}

/** While a source loads, the element is at 0, which is not a position of the viewer. */
const METADATA_LOADED = 1

/** Reports the events of a video. */
export function usePlaybackReport(videoRef: RefObject<HTMLVideoElement | null>, onPlayback: PlayerProps['onPlayback']) {
  const report = useEffectEvent(({ type, currentTarget }: Event) => {
    const kind = KINDS[type]
    if (kind === undefined || !(currentTarget instanceof HTMLVideoElement)) return
    const { readyState, currentTime, paused, ended } = currentTarget
    if (readyState < METADATA_LOADED) return
    onPlayback?.({ kind, seconds: currentTime, isPlaying: !paused && !ended })
  })
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const over = new AbortController()
    for (const type of Object.keys(KINDS)) {
      video.addEventListener(type, (event) => report(event), { signal: over.signal })
    }
    return () => over.abort()
  }, [videoRef])
}
