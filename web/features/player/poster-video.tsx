import { Play } from 'lucide-react'
import { Suspense, use, useCallback, useEffect, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import * as m from '#messages'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { VideoUnavailable } from './frame-notice.tsx'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'
import {
  type EarlyHandleOptions,
  PlayerFrame,
  PlayerStageContext,
  useEarlyHandle,
  usePictureCheck,
  usePlaybackRecovery,
} from './video-player.tsx'

type PosterVideoProps = Omit<PlayerProps, 'revision'>

const PLAYER_MISSING = m.the_player_could_not_be()

/**
 * A video whose player is loaded after everything else: at first only its image and a button to play it. What is
 * asked of it meanwhile is done as soon as it is there.
 */
export function PosterVideo({
  ref,
  startAtS = 0,
  onTimeChange,
  onError,
  videoCodec = null,
  ...player
}: PosterVideoProps) {
  const { title, poster } = player
  const [revision, setRevision] = useState(0)
  const recovery = usePlaybackRecovery({
    startAtS,
    onTimeChange,
    onError,
    reload: () => setRevision((count) => count + 1),
  })
  const { frameRef, takePlayer, ...late } = useLatePlayer({ ref, startAtS, onTimeChange })
  const { isOpen, isReady, isAwaited, press, play } = late
  const drawStage = use(PlayerStageContext)
  const picture = usePictureCheck(videoCodec, player.smallCopy, play)
  // Audio alone is not watching.
  const uncounted = picture.isUnseen ? { onPlayback: undefined } : {}
  if (picture.notice) return <PlayerFrame>{picture.notice}</PlayerFrame>
  if (recovery.problem !== undefined) {
    return (
      <PlayerFrame>
        <VideoUnavailable reason={recovery.problem} onRetry={recovery.retry} />
      </PlayerFrame>
    )
  }
  return (
    <div ref={frameRef}>
      <PlayerFrame>
        {!isReady && <PosterFace {...{ title, poster, isAwaited, press, play }} />}
        {isOpen && (
          <ErrorBoundary
            onReset={forgetFailedParts}
            fallbackRender={({ resetErrorBoundary }) => (
              <VideoUnavailable reason={PLAYER_MISSING} onRetry={resetErrorBoundary} />
            )}
          >
            <Suspense fallback={null}>
              {drawStage({ ...player, videoCodec, ...uncounted, ...recovery.stage, revision, ref: takePlayer })}
            </Suspense>
          </ErrorBoundary>
        )}
      </PlayerFrame>
    </div>
  )
}

/** Loads the player when the page is idle or play is pressed, and hands the focus over to it. */
function useLatePlayer(options: EarlyHandleOptions) {
  const [isOpen, setIsOpen] = useState(false)
  const [isReady, setIsReady] = useState(false)
  /** The viewer has pressed play. */
  const [isAwaited, setIsAwaited] = useState(false)
  const frameRef = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  const isPressed = useRef(false)

  useEffect(() => whenIdle(() => setIsOpen(true)), [])
  useEffect(() => {
    if (isReady && hadFocus.current) frameRef.current?.querySelector<HTMLElement>('.player')?.focus()
  }, [isReady])

  function onPlayWanted() {
    setIsAwaited(true)
    setIsOpen(true)
  }
  const early = useEarlyHandle({ ...options, onPlayWanted })
  const takeEarly = early.takePlayer
  const takePlayer = useCallback(
    (handle: PlayerHandle | null) => {
      hadFocus.current ||= handle !== null && frameRef.current?.contains(document.activeElement) === true
      if (handle !== null) setIsReady(true)
      takeEarly(handle)
      // The button that is held down goes away before it is released, so its click never comes.
      if (isPressed.current) handle?.play()
    },
    [takeEarly],
  )
  function press() {
    isPressed.current = true
    window.addEventListener('pointerup', () => void (isPressed.current = false), { once: true })
  }
  return { frameRef, takePlayer, isOpen, isReady, isAwaited, play: early.play, press }
}

type PosterFaceProps = Pick<PlayerProps, 'title' | 'poster'> &
  Pick<ReturnType<typeof useLatePlayer>, 'isAwaited' | 'press' | 'play'>

/** One large button. The image is of the size of the video, so nothing moves when that comes. */
function PosterFace({ title, poster, isAwaited, press, play }: PosterFaceProps) {
  return (
    <>
      {poster !== undefined && (
        <img src={poster} alt="" fetchPriority="high" className="absolute inset-0 size-full object-contain" />
      )}
      <button
        type="button"
        aria-label={m.play_video_title({ title })}
        aria-busy={isAwaited}
        onPointerDown={press}
        onClick={play}
        className="@container absolute inset-0 grid cursor-pointer place-items-center outline-brand focus-visible:outline-2 focus-visible:-outline-offset-4"
      >
        <span className="poster-play">
          {isAwaited ? <Spinner className="size-8" /> : <Play aria-hidden="true" fill="currentColor" />}
        </span>
      </button>
    </>
  )
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
