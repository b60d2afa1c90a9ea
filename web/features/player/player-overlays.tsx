import { ArrowUpToLine, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import * as m from '#messages'
import { usePlayer } from './player-store.ts'
import './player-notice.css'
import './mini-player.css'

const SHOWN_MS = 2_500

export function usePlayerNotice() {
  const [text, setText] = useState('')
  useEffect(() => {
    if (text === '') return
    const timer = setTimeout(() => setText(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, say: setText }
}

/** Always rendered, so that screen readers announce what appears in it. */
export function PlayerNotice({ text }: { text: string }) {
  return (
    <div role="status" className="player-notice">
      {text !== '' && <span>{text}</span>}
    </div>
  )
}

/** Less of the video than that is no way to follow it. */
const SEEN_SHARE = 0.25

/** Keeps a video that plays in sight, small and in a corner, while the page is scrolled away from its place. */
export function MiniPlayer({ videoRef }: { videoRef: VideoRef }) {
  const store = usePlayer()
  const isAway = useIsAway(videoRef)
  const isPlaying = usePlayer(({ paused, pip }) => !paused && !pip)
  const [state, setState] = useState<'no' | 'mini' | 'closed'>('no')
  if (!isAway && state !== 'no') setState('no')
  if (isAway && isPlaying && state === 'no') setState('mini')
  const isMini = state === 'mini'
  useLayoutEffect(() => void playerOf(videoRef)?.toggleAttribute('data-mini', isMini), [videoRef, isMini])
  if (!isMini) return null
  function goBack() {
    const player = playerOf(videoRef)
    player?.parentElement?.scrollIntoView({ block: 'center' })
    player?.focus({ preventScroll: true })
  }
  function close() {
    setState('closed')
    store.pause()
  }
  return (
    <div className="player-mini">
      <button type="button" aria-label={m.back_to_the_video()} onClick={goBack}>
        <ArrowUpToLine aria-hidden="true" />
      </button>
      <button type="button" aria-label={m.close_the_small_video()} onClick={close}>
        <X aria-hidden="true" />
      </button>
    </div>
  )
}

type VideoRef = RefObject<HTMLVideoElement | null>

function playerOf(videoRef: VideoRef): HTMLElement | null {
  return videoRef.current?.closest<HTMLElement>('.player') ?? null
}

/** Whether the place of the video has been scrolled out of the window. */
function useIsAway(videoRef: VideoRef): boolean {
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    const place = playerOf(videoRef)?.parentElement
    if (!place) return
    // Of a frame in another page it is the frame's own window that counts.
    const options = { root: document, threshold: SEEN_SHARE }
    const observer = new IntersectionObserver((entries) => {
      setIsAway((entries.at(-1)?.intersectionRatio ?? 1) < SEEN_SHARE)
    }, options)
    observer.observe(place)
    return () => observer.disconnect()
  }, [videoRef])
  return isAway
}
