import { type RefObject, useEffect } from 'react'
import { createStore } from 'zustand/vanilla'
import { keepStored, listen, readStored } from '#web/lib/browser-state.ts'
import { useStore } from '#web/lib/use-store.ts'

/** Above 2× browsers drop audio or frames, so the list ends there. */
export const RATES: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

/** How large captions may be; their colors are those of the browser or of the system's settings. `captions.css` draws them. */
export const CAPTION_SCALES = { small: 0.75, medium: 1, large: 1.35, largest: 1.75 } as const
export type CaptionSize = keyof typeof CAPTION_SCALES

/** The speed beside another; at the ends it stays. */
export function findNextRate(rate: number, way: 'slower' | 'faster'): number {
  const next = way === 'faster' ? RATES.find((other) => other > rate) : RATES.findLast((other) => other < rate)
  return next ?? rate
}

const SETTINGS_KEY = 'adapt_player'
const FIRST = {
  rate: 1,
  /** 0–1 */
  volume: 1,
  isMuted: false,
  hasCaptions: false,
  captionSize: 'medium' as CaptionSize,
  /** Whether single keys act on the video. */
  hasKeys: true,
  pausesAtStepEnds: false,
  /** Whether what is between two lines of speech is played faster. */
  isFastInPauses: false,
}

/** What a viewer has chosen once for all videos. */
export type PlayerSettings = typeof FIRST

/** What was kept, as far as it makes sense. */
export function parseSettings(text: string | null): PlayerSettings {
  const storedSettings = parseObject(text)
  const { rate, volume } = storedSettings
  const sizes = Object.keys(CAPTION_SCALES) as CaptionSize[]
  return {
    rate: RATES.find((offeredRate) => offeredRate === rate) ?? FIRST.rate,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : FIRST.volume,
    isMuted: storedSettings['isMuted'] === true,
    hasCaptions: storedSettings['hasCaptions'] === true,
    captionSize: sizes.find((size) => size === storedSettings['captionSize']) ?? FIRST.captionSize,
    hasKeys: storedSettings['hasKeys'] !== false,
    pausesAtStepEnds: storedSettings['pausesAtStepEnds'] === true,
    isFastInPauses: storedSettings['isFastInPauses'] === true,
  }
}

function parseObject(text: string | null): { [name: string]: unknown } {
  try {
    return Object(JSON.parse(text ?? '{}')) as { [name: string]: unknown }
  } catch {
    // Not ours, or of another time.
    return {}
  }
}

const store = createStore(() => parseSettings(readStored(SETTINGS_KEY)))
export const readSettings = store.getState

export function changeSettings(change: Partial<PlayerSettings>): void {
  const before = readSettings()
  const after = { ...before, ...change }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  store.setState(after)
  keepStored(SETTINGS_KEY, JSON.stringify(after))
}

export function usePlayerSettings(): PlayerSettings {
  return useStore(store)
}

/** Begins with the speed and the volume of the last time, and keeps what the viewer makes of them. */
export function useKeptAudio(videoRef: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const { rate, volume, isMuted } = readSettings()
    video.volume = volume
    video.muted = isMuted
    setRate(video, rate)
    return listen(video, {
      volumechange: () => changeSettings({ volume: video.volume, isMuted: video.muted }),
      ratechange() {
        setRate(video, video.playbackRate)
        changeSettings({ rate: video.playbackRate })
      },
    })
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
    return listen(tracks, { change: () => changeSettings({ hasCaptions: track.mode === 'showing' }) })
  }, [trackRef, captionsUrl])
}
