import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'
import { findNextRate } from './player-settings.ts'

/** A seek may be requested before the browser knows the length of the video; setting the time is ignored until then. */
const METADATA_LOADED = 1

function isSeekable(video: HTMLVideoElement | null): video is HTMLVideoElement {
  return video !== null && video.readyState >= METADATA_LOADED
}

/** Browsers refuse to play without a gesture or when a load interrupts; the play button is still there then. */
function tryToPlay(video: HTMLVideoElement | null) {
  video?.play().catch(() => undefined)
}

interface Position {
  /** Asked for before the video could go there. */
  wantedS: number | null
  /** End of the range that is played. */
  stopAtS: number | null
  lastS: number
  playing: boolean
}

function makeHandle(
  videoRef: RefObject<HTMLVideoElement | null>,
  position: Position,
  onTimeChange: PlayerProps['onTimeChange'],
): PlayerHandle {
  function seekTo(seconds: number) {
    position.stopAtS = null
    position.lastS = seconds
    if (isSeekable(videoRef.current)) videoRef.current.currentTime = seconds
    else position.wantedS = seconds
    onTimeChange?.(seconds)
  }
  function play() {
    position.playing = true
    tryToPlay(videoRef.current)
  }
  return {
    seekTo,
    play,
    playRange(startS, endS) {
      seekTo(startS)
      position.stopAtS = endS
      play()
    },
    pause: () => videoRef.current?.pause(),
    changeRate(way) {
      const video = videoRef.current
      if (video !== null) video.playbackRate = findNextRate(video.playbackRate, way)
    },
    get video() {
      return videoRef.current
    },
    get isPlaying() {
      return videoRef.current?.paused === false
    },
    get currentTime() {
      return position.wantedS ?? videoRef.current?.currentTime ?? position.lastS
    },
  }
}

/** A video reports its time about four times a second. A viewer further past the end has sought, and is not stopped. */
const RANGE_END_SLACK_S = 1

function stopAtRangeEnd(video: HTMLVideoElement, position: Position) {
  const { stopAtS } = position
  if (stopAtS === null || video.currentTime < stopAtS) return
  position.stopAtS = null
  if (video.currentTime < stopAtS + RANGE_END_SLACK_S) video.pause()
}

/** Keeps the position (and whether the video was playing) over seeks that come early and addresses that change. */
export function useVideoPosition({ ref, src, revision = 0, startAtS = 0, onTimeChange }: PlayerProps) {
  const videoRef = useRef<HTMLVideoElement>(null)
  const position = useRef<Position>({ wantedS: startAtS, stopAtS: null, lastS: startAtS, playing: false })
  useImperativeHandle(ref, () => makeHandle(videoRef, position.current, onTimeChange))

  function restorePosition() {
    const { wantedS, playing } = position.current
    position.current.wantedS = null
    if (videoRef.current !== null && wantedS !== null && wantedS > 0) videoRef.current.currentTime = wantedS
    if (playing) tryToPlay(videoRef.current)
  }

  const loaded = useRef({ src, revision })
  useEffect(() => {
    const isSame = loaded.current.src === src && loaded.current.revision === revision
    if (!isSame) {
      loaded.current = { src, revision }
      videoRef.current?.load()
    } else if (position.current.wantedS !== null && isSeekable(videoRef.current)) {
      // A cached video can be ready before React has mounted it, and then its events have passed unheard.
      restorePosition()
    }
  }, [src, revision])

  return {
    videoRef,
    events: {
      onLoadedMetadata: restorePosition,
      /** A new load has begun, from here or by the library; it starts at 0, which is not the wanted position. */
      onEmptied() {
        position.current.wantedS ??= position.current.lastS
      },
      onTimeUpdate() {
        // While an address loads, the element reports 0, which must not overwrite the position to return to.
        if (position.current.wantedS !== null || videoRef.current === null) return
        position.current.lastS = videoRef.current.currentTime
        stopAtRangeEnd(videoRef.current, position.current)
        onTimeChange?.(videoRef.current.currentTime)
      },
      onPlay() {
        position.current.playing = true
      },
      onPause() {
        position.current.stopAtS = null
        // A failed or restarting load also pauses; only a pause of a healthy video is the viewer's.
        if (isSeekable(videoRef.current) && videoRef.current.error === null) position.current.playing = false
      },
    },
  }
}
