import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { LOOK_EVENT } from '#web/lib/zoom/look-at.ts'
import { openZoom, type Zoom, zoomOfKey } from '#web/lib/zoom/open-zoom.ts'
import type { Part } from '#web/lib/zoom/zoom-view.ts'

/** By their type the last events that were heard before this was there, which takes long on a slow line. */
export type WaitingEvents = Partial<Record<string, Event>>

interface ZoomedVideoProps {
  videoRef: RefObject<HTMLVideoElement | null>
  hasKeys: boolean
  /** A key counts, and what is to be shown. */
  waiting: RefObject<WaitingEvents>
  /** For gestures of the player; null once it has ended. */
  takeZoom: (zoom: Zoom | null) => void
}

/** Enlarges the video within its frame, also in full screen. Controls and captions keep their size. */
export function ZoomedVideo({ videoRef, hasKeys, waiting, takeZoom }: ZoomedVideoProps) {
  const [isEnlarged, setIsEnlarged] = useState(false)
  const opened = useRef<Zoom>(null)
  const pressKey = useEffectEvent((event: KeyboardEvent) => {
    const factor = hasKeys ? zoomOfKey(event) : null
    if (factor === null) return
    event.preventDefault()
    opened.current?.zoomBy(factor)
  })
  const look = useEffectEvent(({ detail: part }: CustomEvent<Part | null>) => {
    if (part === null) opened.current?.reset()
    else opened.current?.showPart(part)
  })
  const takeWaiting = useEffectEvent(() => {
    const { keydown, [LOOK_EVENT]: wanted } = waiting.current
    if (keydown instanceof KeyboardEvent) pressKey(keydown)
    if (wanted instanceof CustomEvent) look(wanted)
  })
  useEffect(() => {
    const video = videoRef.current
    const player = video?.closest<HTMLElement>('.player')
    if (!video || !player) return
    const zoom = openZoom(player, video, (scale) => setIsEnlarged(scale > 1))
    opened.current = zoom
    takeZoom(zoom)
    takeWaiting()
    const ends = [listen(player, { keydown: pressKey }), listen(player, { [LOOK_EVENT]: look })]
    return () => {
      for (const end of ends) end()
      zoom.end()
      opened.current = null
      takeZoom(null)
    }
  }, [videoRef, takeZoom])
  if (!isEnlarged) return null
  return (
    <>
      <PlainCaptions videoRef={videoRef} />
      <button
        type="button"
        className="player-whole"
        onClick={({ currentTarget }) => {
          // The button goes away; the focus stays in the player, where the keys act.
          currentTarget.closest<HTMLElement>('.player')?.focus({ preventScroll: true })
          opened.current?.reset()
        }}
      >
        {m.whole_picture()}
      </button>
    </>
  )
}

/** The browser's own captions are part of the video, and would grow and move with it. */
function PlainCaptions({ videoRef }: Pick<ZoomedVideoProps, 'videoRef'>) {
  const [text, setText] = useState('')
  useEffect(() => {
    const tracks = videoRef.current?.textTracks
    if (tracks === undefined) return
    const read = () => setText(readCaptions(tracks))
    read()
    const ends = [...tracks].map((track) => listen(track, { cuechange: read }))
    ends.push(listen(tracks, { change: read }))
    return () => ends.forEach((end) => end())
  }, [videoRef])
  return text !== '' && <p className="player-plain-captions">{text}</p>
}

function readCaptions(tracks: TextTrackList): string {
  const shown = [...tracks].filter(({ mode }) => mode === 'showing')
  const cues = shown.flatMap(({ activeCues }) => [...((activeCues ?? []) as Iterable<VTTCue>)])
  return cues.map((cue) => cue.getCueAsHTML().textContent).join('\n')
}
