import { useDoubleTapGesture } from '@videojs/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import type { LOOK_EVENT } from '#web/lib/zoom/look-at.ts'
import type { Zoom } from '#web/lib/zoom/open-zoom.ts'
import { QuietPart } from './quiet-part.tsx'

const ZoomedVideo = lazyPart(() => import('./zoomed-video.tsx').then((part) => part.ZoomedVideo))

/** The last is no import: it would be one more file that everybody loads. */
type WantedBy = 'pointerdown' | 'keydown' | 'wheel' | typeof LOOK_EVENT

interface PlayerZoomProps {
  videoRef: RefObject<HTMLVideoElement | null>
  hasKeys: boolean
}

/** Loads what enlarges the video when that is first touched, the keyboard is first used, or a part is to be shown. */
export function PlayerZoom({ videoRef, hasKeys }: PlayerZoomProps) {
  /** What has loaded it counts. */
  const [first, setFirst] = useState<Event | null>(null)
  const zoom = useRef<Zoom>(null)
  const takeZoom = useCallback((opened: Zoom | null) => {
    zoom.current = opened
  }, [])
  // A mouse opens the full screen with the same.
  useDoubleTapGesture((event) => zoom.current?.toggle(event), { pointer: 'touch', region: 'center' })
  useEffect(() => {
    const player = videoRef.current?.closest('.player')
    if (!player) return
    const events: Record<WantedBy, (event: Event) => void> = {
      pointerdown: setFirst,
      keydown: setFirst,
      wheel: setFirst,
      'adapt-look': setFirst,
    }
    return listen(player, events, { once: true, passive: true })
  }, [videoRef])
  if (first === null) return null
  return (
    <QuietPart>
      <ZoomedVideo {...{ videoRef, hasKeys, first, takeZoom }} />
    </QuietPart>
  )
}
