import { type RefObject, useEffect, useEffectEvent } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import type { PlaybackEvent, PlayerProps } from './player-handle.ts'
import { findNextStart, findPreviousStart, findStepIndex, type PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'

const KINDS = { timeupdate: 'time', play: 'play', pause: 'pause', seeking: 'seek', ended: 'end' } as const

/** While a source loads, the element is at 0, which is not a position of the viewer. */
const METADATA_LOADED = 1

export function usePlaybackReport(videoRef: RefObject<HTMLVideoElement | null>, onPlayback: PlayerProps['onPlayback']) {
  const report = useEffectEvent((kind: PlaybackEvent['kind'], video: HTMLVideoElement) => {
    const { readyState, currentTime, paused, ended } = video
    if (readyState < METADATA_LOADED) return
    onPlayback?.({ kind, seconds: currentTime, isPlaying: !paused && !ended })
  })
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const reports = Object.entries(KINDS).map(([type, kind]) => [type, () => report(kind, video)] as const)
    return listen(video, Object.fromEntries(reports))
  }, [videoRef])
}

interface MediaSessionProps extends Pick<PlayerProps, 'title' | 'poster'> {
  videoRef: RefObject<HTMLVideoElement | null>
  steps: readonly PlayerStep[]
}

/** As far as the keys J and L go. */
const SEEK_S = 10

/** Names the video on lock screens, and lets media keys go from step to step. Play and pause are the browser's own. */
export function LockScreen({ videoRef, title, poster, steps }: MediaSessionProps) {
  const stepTitle = usePlayer(({ currentTime }) => steps[findStepIndex(steps, currentTime)]?.title)
  const hasPlayed = usePlayer((state) => state.started)

  useEffect(() => {
    if (!hasPlayed || !('mediaSession' in navigator)) return
    const artwork = poster === undefined ? [] : [{ src: new URL(poster, document.baseURI).href }]
    navigator.mediaSession.metadata = new MediaMetadata({
      title: stepTitle ?? title,
      artist: stepTitle === undefined ? 'Adapt' : title,
      artwork,
    })
  }, [hasPlayed, stepTitle, title, poster])

  useEffect(() => {
    if (!hasPlayed || !('mediaSession' in navigator)) return
    const { mediaSession } = navigator
    function goTo(find: typeof findNextStart) {
      const video = videoRef.current
      const toS = video === null ? null : find(steps, video.currentTime)
      if (video !== null && toS !== null) video.currentTime = toS
    }
    function moveBy(seconds: number) {
      if (videoRef.current !== null) videoRef.current.currentTime += seconds
    }
    const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
      ['seekbackward', ({ seekOffset }) => moveBy(-(seekOffset ?? SEEK_S))],
      ['seekforward', ({ seekOffset }) => moveBy(seekOffset ?? SEEK_S)],
    ]
    if (steps.length > 0) {
      actions.push(['previoustrack', () => goTo(findPreviousStart)], ['nexttrack', () => goTo(findNextStart)])
    }
    for (const [action, act] of actions) mediaSession.setActionHandler(action, act)
    return () => {
      for (const [action] of actions) mediaSession.setActionHandler(action, null)
    }
  }, [hasPlayed, steps, videoRef])

  useEffect(
    () => () => {
      if ('mediaSession' in navigator) navigator.mediaSession.metadata = null
    },
    [],
  )
  return null
}
