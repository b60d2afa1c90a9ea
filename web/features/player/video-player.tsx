import { createContext, type ReactNode, Suspense, use, useCallback, useImperativeHandle, useRef, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { VIDEO_URL_REFRESH_MAX } from '#contract/limits.ts'
import * as m from '#messages'
import { canShowPicture } from '#web/lib/can-show-picture.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { VideoUnavailable } from './frame-notice.tsx'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'

const LazyPlayerStage = lazyPart(() => import('./player-stage.tsx').then((part) => part.PlayerStage))

const UnseenNotice = lazyPart(() => import('./unseen-notice.tsx').then((part) => part.UnseenNotice))

/** Few trainings have two videos to choose from. */
const LazyQualityStage = lazyPart(() => import('./quality-stage.tsx').then((part) => part.QualityStage))

/** A small copy that is made while the video is open counts from the next visit: another stage would begin it anew. */
function LateStage({ smallCopy: latest, ...props }: PlayerProps) {
  const [smallCopy] = useState(latest)
  return smallCopy ? <LazyQualityStage {...props} smallCopy={smallCopy} /> : <LazyPlayerStage {...props} />
}

/** What draws the player. Tests put a plain stand-in here, because jsdom plays no media. */
export const PlayerStageContext = createContext((props: PlayerProps): ReactNode => <LateStage {...props} />)

/**
 * Holds the place of a video, whatever stands in it, so that nothing on the page moves when it arrives. Never higher than
 * a phone that is held sideways.
 */
export function PlayerFrame({ children }: { children?: ReactNode }) {
  return (
    <div className="relative isolate aspect-video max-h-[90svh] w-full overflow-hidden rounded-(--player-radius) bg-screen text-on-screen has-[[data-mini]]:z-30">
      {children}
    </div>
  )
}

export function PlayerLoading() {
  return (
    <div role="status" className="absolute inset-0 grid place-items-center">
      <Spinner className="size-10 text-on-screen-soft" />
      <span className="sr-only">{m.loading_video()}</span>
    </div>
  )
}

/** The one door to the player library: it is loaded when the first video shows, and nothing else imports it. */
export function VideoPlayer(props: PlayerProps) {
  const drawStage = use(PlayerStageContext)
  return (
    <PlayerFrame>
      <Suspense fallback={<PlayerLoading />}>{drawStage(props)}</Suspense>
    </PlayerFrame>
  )
}

/**
 * Finds out whether this browser shows a video's picture; many would play its audio over a black frame, without a word.
 * @param play begins the video, once the viewer wants its audio all the same
 * @returns what stands in the frame until then
 */
export function usePictureCheck(codec: string | null, smallCopy: PlayerProps['smallCopy'], play: () => void) {
  const [isAudioOnly, setIsAudioOnly] = useState(false)
  const isUnseen = !canShowPicture(codec) && !(smallCopy && canShowPicture(smallCopy.codec))
  function playAudio() {
    setIsAudioOnly(true)
    play()
  }
  const notice = isUnseen && !isAudioOnly && (
    <ErrorBoundary fallback={<VideoUnavailable reason={m.your_browser_cannot_show_it()} onRetry={playAudio} />}>
      <Suspense fallback={null}>
        <UnseenNotice codec={codec} onPlayAudio={playAudio} />
      </Suspense>
    </ErrorBoundary>
  )
  return { notice, isUnseen }
}

/** `MediaError` codes that loading again can fix: network, decode, source not supported. */
const RECOVERABLE_CODES: ReadonlySet<number> = new Set([2, 3, 4])
/** A video that plays for this long has recovered, so a later failure in the session is retried too. */
const RECOVERED_AFTER_S = 10

/** `onError` is called with every failure, also with those that loading again may fix. */
interface RecoveryOptions extends Pick<PlayerProps, 'onTimeChange' | 'onError'> {
  startAtS: number
  reload: () => void
}

/** Loads a video that fails again, at most twice in a row. */
export function usePlaybackRecovery({ startAtS, onTimeChange, onError, reload }: RecoveryOptions) {
  const [isBroken, setIsBroken] = useState(false)
  const reloads = useRef(0)
  const brokeAtS = useRef<number | null>(null)
  const lastS = useRef(startAtS)
  const [resumeAtS, setResumeAtS] = useState(startAtS)

  return {
    /** Loading again has not helped. */
    problem: isBroken ? m.the_video_could_not_be_played() : undefined,
    retry: () => {
      reloads.current = 0
      setIsBroken(false)
      reload()
    },
    /** What the player begins with, and reports. */
    stage: {
      /** The requested time, or the time of the last failure. */
      startAtS: resumeAtS,
      onError(code: number) {
        onError?.(code)
        if (!RECOVERABLE_CODES.has(code)) return
        setResumeAtS(lastS.current)
        if (reloads.current >= VIDEO_URL_REFRESH_MAX) return setIsBroken(true)
        reloads.current += 1
        brokeAtS.current = lastS.current
        reload()
      },
      onTimeChange(seconds: number) {
        lastS.current = seconds
        if (brokeAtS.current !== null && seconds > brokeAtS.current + RECOVERED_AFTER_S) {
          reloads.current = 0
          brokeAtS.current = null
        }
        onTimeChange?.(seconds)
      },
    },
  }
}

export interface EarlyHandleOptions extends Pick<PlayerProps, 'ref' | 'onTimeChange'> {
  startAtS: number
  /** The video is to play, and the player is not there yet. */
  onPlayWanted?: () => void
}

/**
 * Lets a page ask for a moment of the video before the player is there: its address and its code take a while on a slow
 * connection, and the steps beside it can be pressed already. The last request is carried out when the player loads.
 */
export function useEarlyHandle({ ref, startAtS, onTimeChange, onPlayWanted }: EarlyHandleOptions) {
  const player = useRef<PlayerHandle | null>(null)
  const wanted = useRef({ seconds: null as number | null, isPlaying: false })

  const takePlayer = useCallback((handle: PlayerHandle | null) => {
    player.current = handle
    if (handle === null) return
    const { seconds, isPlaying } = wanted.current
    wanted.current = { seconds: null, isPlaying: false }
    if (seconds !== null) handle.seekTo(seconds)
    if (isPlaying) handle.play()
  }, [])

  function play() {
    if (player.current !== null) return player.current.play()
    wanted.current.isPlaying = true
    onPlayWanted?.()
  }

  useImperativeHandle(ref, () => ({
    seekTo(seconds) {
      if (player.current !== null) return player.current.seekTo(seconds)
      wanted.current.seconds = seconds
      onTimeChange?.(seconds)
    },
    play,
    pause() {
      wanted.current.isPlaying = false
      player.current?.pause()
    },
    playRange(startS, endS) {
      if (player.current !== null) return player.current.playRange(startS, endS)
      wanted.current.seconds = startS
      onTimeChange?.(startS)
      play()
    },
    changeRate: (way) => player.current?.changeRate(way),
    get video() {
      return player.current?.video ?? null
    },
    get currentTime() {
      return player.current?.currentTime ?? wanted.current.seconds ?? startAtS
    },
    get isPlaying() {
      return player.current?.isPlaying ?? wanted.current.isPlaying
    },
  }))
  return { takePlayer, play }
}
