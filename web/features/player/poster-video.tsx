import { Play } from 'lucide-react'
import { Suspense, use, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'
import { PlayerFrame, PlayerStageContext, usePlaybackRecovery, VideoUnavailable } from './video-player.tsx'

type PosterVideoProps = Omit<PlayerProps, 'revision' | 'onError'>

/**
 * A video whose player is loaded after everything else: at first only its image and a button to play it. What is
 * asked of it meanwhile is done as soon as it is there.
 */
export function PosterVideo({ ref, startAtS = 0, onTimeChange, ...player }: PosterVideoProps) {
  const { title, poster } = player
  const [revision, setRevision] = useState(0)
  const recovery = usePlaybackRecovery(startAtS, () => setRevision((count) => count + 1))
  const { frameRef, takePlayer, isOpen, isReady, isAwaited, play } = useLatePlayer(ref, onTimeChange)
  const drawStage = use(PlayerStageContext)
  if (recovery.isBroken) {
    return (
      <PlayerFrame>
        <VideoUnavailable reason="The video could not be played." onRetry={recovery.retry} />
      </PlayerFrame>
    )
  }
  const stage = {
    ...player,
    revision,
    ref: takePlayer,
    startAtS: recovery.resumeAtS,
    onError: recovery.onPlaybackError,
    onTimeChange: (seconds: number) => {
      recovery.onPlaybackTime(seconds)
      onTimeChange?.(seconds)
    },
  }
  return (
    <div ref={frameRef}>
      <PlayerFrame>
        {!isReady && <PosterFace title={title} poster={poster} isAwaited={isAwaited} onPlay={play} />}
        {isOpen && (
          <ErrorBoundary fallbackRender={({ resetErrorBoundary }) => <PlayerMissing onRetry={resetErrorBoundary} />}>
            <Suspense fallback={null}>{drawStage(stage)}</Suspense>
          </ErrorBoundary>
        )}
      </PlayerFrame>
    </div>
  )
}

/** Holds the place of a player that is still loaded, remembers what it is to do, and hands the focus over to it. */
function useLatePlayer(ref: PosterVideoProps['ref'], onTimeChange: PosterVideoProps['onTimeChange']) {
  const [isOpen, setIsOpen] = useState(false)
  const [isReady, setIsReady] = useState(false)
  const [isAwaited, setIsAwaited] = useState(false)
  const frameRef = useRef<HTMLDivElement>(null)
  const player = useRef<PlayerHandle | null>(null)
  const wish = useRef({ atS: null as number | null, plays: false })
  const hadFocus = useRef(false)

  useEffect(() => whenIdle(() => setIsOpen(true)), [])
  useEffect(() => {
    if (isReady && hadFocus.current) frameRef.current?.querySelector<HTMLElement>('.player')?.focus()
  }, [isReady])

  const takePlayer = useCallback((handle: PlayerHandle | null) => {
    player.current = handle
    if (handle === null) return
    hadFocus.current ||= frameRef.current?.contains(document.activeElement) === true
    const { atS, plays } = wish.current
    wish.current = { atS: null, plays: false }
    setIsReady(true)
    if (atS !== null) handle.seekTo(atS)
    if (plays) handle.play()
  }, [])

  function play() {
    if (player.current !== null) return player.current.play()
    wish.current.plays = true
    setIsAwaited(true)
    setIsOpen(true)
  }

  useImperativeHandle(ref, () => ({
    seekTo(seconds) {
      if (player.current !== null) return player.current.seekTo(seconds)
      wish.current.atS = seconds
      onTimeChange?.(seconds)
    },
    play,
    pause() {
      wish.current.plays = false
      player.current?.pause()
    },
    playRange(startS, endS) {
      if (player.current !== null) return player.current.playRange(startS, endS)
      wish.current.atS = startS
      onTimeChange?.(startS)
      play()
    },
    drawFrame: async (maxWidthPx) => (await player.current?.drawFrame(maxWidthPx)) ?? null,
    changeRate: (way) => player.current?.changeRate(way),
    get currentTime() {
      return player.current?.currentTime ?? wish.current.atS ?? 0
    },
    get isPlaying() {
      return player.current?.isPlaying ?? wish.current.plays
    },
  }))
  return { frameRef, takePlayer, isOpen, isReady, isAwaited, play }
}

interface PosterFaceProps {
  title: string
  poster: string | undefined
  /** The viewer has pressed play. */
  isAwaited: boolean
  onPlay: () => void
}

/** One large button. The image is of the size of the video, so nothing moves when that comes. */
function PosterFace({ title, poster, isAwaited, onPlay }: PosterFaceProps) {
  return (
    <>
      {poster !== undefined && (
        <img src={poster} alt="" fetchPriority="high" className="absolute inset-0 size-full object-contain" />
      )}
      <button
        type="button"
        aria-label={`Play video: ${title}`}
        aria-busy={isAwaited}
        onClick={onPlay}
        className="@container absolute inset-0 grid cursor-pointer place-items-center outline-brand focus-visible:outline-2 focus-visible:-outline-offset-4"
      >
        <span className="poster-play">
          {isAwaited ? <Spinner className="size-8" /> : <Play aria-hidden="true" fill="currentColor" />}
        </span>
      </button>
    </>
  )
}

function PlayerMissing({ onRetry }: { onRetry: () => void }) {
  function retry() {
    forgetFailedParts()
    onRetry()
  }
  return <VideoUnavailable reason="The player could not be loaded. Check your connection." onRetry={retry} />
}

/** Long enough for the page to be drawn; Safari has no `requestIdleCallback`. */
const SOON_MS = 200
/** A page that is never idle loads its player after this time. */
const IDLE_WITHIN_MS = 2_000

/**
 * Calls back once the page is loaded and idle; never where the browser saves data, so that loading needs a click.
 * @returns a function that calls it off
 */
function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return () => {}
  const over = new AbortController()
  const { signal } = over
  function wait() {
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(callback, SOON_MS)
      signal.addEventListener('abort', () => clearTimeout(timer))
    } else {
      const request = requestIdleCallback(callback, { timeout: IDLE_WITHIN_MS })
      signal.addEventListener('abort', () => cancelIdleCallback(request))
    }
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true, signal })
  return () => over.abort()
}
