import { useDoubleTapGesture } from '@videojs/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import type { LOOK_EVENT } from '#web/lib/zoom/look-at.ts'
import type { Zoom } from '#web/lib/zoom/open-zoom.ts'
import { QuietPart } from './quiet-part.tsx'
import type { WaitingEvents } from './zoomed-video.tsx'

const ZoomedVideo = lazyPart(() => import('./zoomed-video.tsx').then((part) => part.ZoomedVideo))

/** The last is no import: it would be one more file that everybody loads. */
type WantedBy = 'pointerdown' | 'keydown' | 'wheel' | typeof LOOK_EVENT

interface PlayerZoomProps {
  videoRef: RefObject<HTMLVideoElement | null>
  hasKeys: boolean
}

/** Loads what enlarges the video when that is first touched, the keyboard is first used, or a part is to be shown. */
export function PlayerZoom({ videoRef, hasKeys }: PlayerZoomProps) {
  const [isWanted, setIsWanted] = useState(false)
  const waiting = useRef<WaitingEvents>({})
  const zoom = useRef<Zoom>(null)
  const takeZoom = useCallback((opened: Zoom | null) => {
    zoom.current = opened
  }, [])
  // A mouse opens the full screen with the same.
  useDoubleTapGesture((event) => zoom.current?.toggle(event), { pointer: 'touch', region: 'center' })
  useEffect(() => {
    const player = videoRef.current?.closest('.player')
    if (!player) return
    const want = (event: Event) => {
      // Once it is there, it hears of them itself.
      if (zoom.current === null) waiting.current[event.type] = event
      setIsWanted(true)
    }
    const events: Record<WantedBy, typeof want> = { pointerdown: want, keydown: want, wheel: want, 'adapt-look': want }
    return listen(player, events, { passive: true })
  }, [videoRef])
  if (!isWanted) return null
  return (
    <QuietPart>
      <ZoomedVideo {...{ videoRef, hasKeys, waiting, takeZoom }} />
    </QuietPart>
  )
}
