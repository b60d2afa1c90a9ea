import { useDoubleTapGesture } from '@videojs/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import type { Zoom } from '#web/lib/zoom/open-zoom.ts'
import { QuietPart } from './quiet-part.tsx'

const ZoomedVideo = lazyPart(() => import('./zoomed-video.tsx').then((part) => part.ZoomedVideo))

interface PlayerZoomProps {
  videoRef: RefObject<HTMLVideoElement | null>
  hasKeys: boolean
}

/** Loads what enlarges the video when that is first touched, or the keyboard is first used in its player. */
export function PlayerZoom({ videoRef, hasKeys }: PlayerZoomProps) {
  const [isWanted, setIsWanted] = useState(false)
  /** The key that has loaded it counts. */
  const [firstKey, setFirstKey] = useState<KeyboardEvent | null>(null)
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
      if (event instanceof KeyboardEvent) setFirstKey(event)
      setIsWanted(true)
    }
    return listen(player, { pointerdown: want, keydown: want, wheel: want }, { once: true, passive: true })
  }, [videoRef])
  if (!isWanted) return null
  return (
    <QuietPart>
      <ZoomedVideo {...{ videoRef, hasKeys, firstKey, takeZoom }} />
    </QuietPart>
  )
}
