import { type RefObject, useEffect } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { usePlayer } from './player-store.ts'

interface CaptionRoomProps {
  trackRef: RefObject<HTMLTrackElement | null>
  videoRef: RefObject<HTMLVideoElement | null>
  /** How much larger than usual they are. */
  scale: number
}

/** Keeps captions above the control bar for as long as that shows, where no style moves them. */
export function CaptionRoom({ trackRef, videoRef, scale }: CaptionRoomProps) {
  const isBarShown = usePlayer((state) => state.controlsVisible)
  useEffect(() => {
    const track = trackRef.current?.track
    if (track === undefined) return
    const place = () => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = videoRef.current ?? {}
      for (const cue of (track.activeCues ?? []) as Iterable<VTTCue>) {
        placeCue(cue, isBarShown && height > 0 ? findCaptionLine(cue.text, { width, height, scale }) : null)
      }
    }
    place()
    return listen(track, { cuechange: place })
  })
  return null
}

/** @param line percent of the image's height where the cue begins; null for its usual place */
function placeCue(cue: VTTCue, line: number | null): void {
  cue.snapToLines = line === null
  cue.line = line ?? 'auto'
}

/** As high as captions are lifted elsewhere, and as large as they are (`captions.css`). */
const ROOM_PX = 72
const FONT_SHARE = 0.028
const FONT_MIN_PX = 14
/** Of the font's size: a line's height, and the mean width of a letter in Firefox's own choice of font. */
const LINE_HEIGHT = 1.2
const LETTER_WIDTH = 0.5

/** Where a text has to begin so that it ends above the control bar, in percent of the image's height. */
export function findCaptionLine(
  text: string,
  { width, height, scale }: { width: number; height: number; scale: number },
): number {
  const fontPx = scale * Math.max(FONT_SHARE * width, FONT_MIN_PX)
  const lettersPerLine = Math.max(1, width / (fontPx * LETTER_WIDTH))
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lettersPerLine)), 0)
  const freePx = height - ROOM_PX - lines * fontPx * LINE_HEIGHT
  return Math.max(0, Math.floor((freePx * 100) / height))
}
