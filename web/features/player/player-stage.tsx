import { BufferingIndicator, Container, Gesture, StatusAnnouncer } from '@videojs/react'
import { Video } from '@videojs/react/video'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'
import { PlayerControls } from './player-controls.tsx'
import type { PlayerProps } from './player-handle.ts'
import { PlayerHotkeys } from './player-hotkeys.tsx'
import { Player } from './player-store.ts'
import { usePlaybackReport } from './use-playback-report.ts'
import { useVideoPosition } from './use-video-position.ts'
import './player.css'

/** Tells each failure of the video once, also one that came before React had mounted the element. */
function useErrorReport(videoRef: RefObject<HTMLVideoElement | null>, onError: PlayerProps['onError']) {
  const told = useRef<MediaError | null>(null)
  function report() {
    const error = videoRef.current?.error ?? null
    if (error === null || error === told.current) return
    told.current = error
    onError?.(error.code)
  }
  const reportMissed = useEffectEvent(report)
  useEffect(() => reportMissed(), [])
  return report
}

function TouchAndMouse() {
  return (
    <>
      <Gesture type="tap" action="togglePaused" pointer="mouse" region="center" />
      <Gesture type="tap" action="toggleControls" pointer="touch" />
      <Gesture type="doubletap" action="seekStep" value={-10} pointer="touch" region="left" />
      <Gesture type="doubletap" action="toggleFullscreen" region="center" />
      <Gesture type="doubletap" action="seekStep" value={10} pointer="touch" region="right" />
    </>
  )
}

/** The player library with our own controls. Only {@link VideoPlayer} loads this. */
export function PlayerStage(props: PlayerProps) {
  const { videoRef, events } = useVideoPosition(props)
  usePlaybackReport(videoRef, props.onPlayback)
  const reportError = useErrorReport(videoRef, props.onError)
  return (
    <Player>
      <Container className="player absolute inset-0" aria-label={`Video player: ${props.title}`} role="region">
        <Video
          {...events}
          ref={videoRef}
          src={props.src}
          poster={props.poster}
          preload="metadata"
          playsInline
          aria-label={props.title}
          className="size-full object-contain"
          onError={reportError}
        >
          {props.captionsUrl !== undefined && (
            <track key={props.captionsUrl} kind="captions" src={props.captionsUrl} label="Captions" />
          )}
        </Video>
        <BufferingIndicator
          className="pointer-events-none absolute inset-0 hidden place-items-center data-visible:grid"
          render={(indicator) => (
            <div {...indicator}>
              <Spinner className="size-12 text-on-screen" />
            </div>
          )}
        />
        <PlayerControls />
        <TouchAndMouse />
        <PlayerHotkeys />
        <StatusAnnouncer className="sr-only" />
      </Container>
    </Player>
  )
}
