import { type RefObject, useEffect } from 'react'
import { changeSettings, readSettings } from './player-settings.ts'

/** Begins with the speed and the volume of the last time, and keeps what the viewer makes of them. */
export function useKeptAudio(videoRef: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const { rate, volume, isMuted } = readSettings()
    video.volume = volume
    video.muted = isMuted
    setRate(video, rate)
    const { signal, abort } = listening()
    video.addEventListener('volumechange', () => changeSettings({ volume: video.volume, isMuted: video.muted }), {
      signal,
    })
    video.addEventListener(
      'ratechange',
      () => {
        setRate(video, video.playbackRate)
        changeSettings({ rate: video.playbackRate })
      },
      { signal },
    )
    return abort
  }, [videoRef])
}

/** Loading a source resets the speed to the default, so the default is set to the chosen speed. */
function setRate(video: HTMLVideoElement, rate: number): void {
  if (video.defaultPlaybackRate !== rate) video.defaultPlaybackRate = rate
  if (video.playbackRate !== rate) video.playbackRate = rate
}

/**
 * Shows captions when they were on the last time. Set here, because Safari ignores `default` on a track that comes
 * later.
 */
export function useKeptCaptions(trackRef: RefObject<HTMLTrackElement | null>, captionsUrl: string | undefined): void {
  useEffect(() => {
    const element = trackRef.current
    const tracks = element?.parentElement instanceof HTMLVideoElement ? element.parentElement.textTracks : null
    if (captionsUrl === undefined || element === null || tracks === null) return
    const { track } = element
    track.mode = readSettings().hasCaptions ? 'showing' : 'disabled'
    const { signal, abort } = listening()
    tracks.addEventListener('change', () => changeSettings({ hasCaptions: track.mode === 'showing' }), { signal })
    return abort
  }, [trackRef, captionsUrl])
}

function listening(): { signal: AbortSignal; abort: () => void } {
  const over = new AbortController()
  return { signal: over.signal, abort: () => over.abort() }
}
