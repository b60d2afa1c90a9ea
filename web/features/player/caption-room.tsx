import { type RefObject, useEffect } from 'react'
import { findCaptionLine } from './caption-line.ts'
import type { CaptionSize } from './player-settings.ts'
import { usePlayer } from './player-store.ts'

/** No style moves captions in Firefox, so the position of each cue is set. */
const MUST_BE_REPORTED = navigator.userAgent.includes('Firefox/')
interface CaptionRoomProps {
  trackRef: RefObject<HTMLTrackElement | null>
  videoRef: RefObject<HTMLVideoElement | null>
  size: CaptionSize
}

/** Keeps captions above the control bar for as long as that shows. */
export function CaptionRoom({ trackRef, videoRef, size }: CaptionRoomProps) {
  const isBarShown = usePlayer((state) => state.controlsVisible)
  useEffect(() => {
    const track = trackRef.current?.track
    if (!MUST_BE_REPORTED || track === undefined) return
    const place = () => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = videoRef.current ?? {}
      for (const cue of track.activeCues ?? []) {
        placeCue(
          cue as VTTCue,
          isBarShown && height > 0 ? findCaptionLine((cue as VTTCue).text, { width, height, size }) : null,
        )
      }
    }
    place()
    track.addEventListener('cuechange', place)
    return () => track.removeEventListener('cuechange', place)
  })
  return null
}

/** @param line percent of the image's height where the cue begins; null for its usual place */
function placeCue(cue: VTTCue, line: number | null): void {
  cue.snapToLines = line === null
  cue.line = line ?? 'auto'
}
