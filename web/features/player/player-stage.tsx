import {
  BufferingIndicator,
  Container,
  Gesture,
  StatusAnnouncer,
  useComposedRefs,
  useMediaAttach,
} from '@videojs/react'
import {
  type ComponentProps,
  type CSSProperties,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { countFromZero } from '#web/lib/count-from-zero.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { LockScreen, usePlaybackReport } from './playback-report.ts'
import { PlayerControls } from './player-controls.tsx'
import type { PlayerProps } from './player-handle.ts'
import { PlayerHotkeys, useMoreKeys } from './player-keys.tsx'
import { MiniPlayer, PlayerNotice, usePlayerNotice } from './player-overlays.tsx'
import { CAPTION_SCALES, useKeptAudio, useKeptCaptions, usePlayerSettings } from './player-settings.ts'
import type { PlayerStep } from './player-step.ts'
import { Player } from './player-store.ts'
import { PlayerZoom } from './player-zoom.tsx'
import { QuietPart } from './quiet-part.tsx'
import { useKeptPosition } from './resume/kept-position.ts'
import { useStepPractice } from './step-practice.ts'
import { useVideoPosition } from './use-video-position.ts'
import './captions.css'
// Styles of late parts: with them those would be more than one file each.
import './keys-dialog.css'
import './zoomed-video.css'
import './player.css'

const KeysDialog = lazyPart(() => import('./keys-dialog.tsx').then((part) => part.KeysDialog))
/** No style moves its captions. */
const IS_FIREFOX = navigator.userAgent.includes('Firefox/')
const CaptionRoom = lazyPart(() => import('./caption-room.tsx').then((part) => part.CaptionRoom))
/** Few trainings have cuts, or several tracks of audio. */
const PassOverCuts = lazyPart(() => import('./pass-over-cuts.tsx').then((part) => part.PassOverCuts))
/** Only of a video that was left and opened again. */
const StartOver = lazyPart(() => import('./start-over.tsx').then((part) => part.StartOver))
/** Few viewers want it. */
const FastPauses = lazyPart(() => import('./fast-pauses.tsx').then((part) => part.FastPauses))
const OtherTrackNote = lazyPart(() => import('./other-track-note.tsx').then((part) => part.OtherTrackNote))

const NO_STEPS: readonly PlayerStep[] = []
const NO_CUTS: Cuts = []

/** Reports each failure of the video once, also one that came before React had mounted the element. */
function useErrorReport(videoRef: RefObject<HTMLVideoElement | null>, onError: PlayerProps['onError']) {
  const reported = useRef<MediaError | null>(null)
  function report() {
    const error = videoRef.current?.error ?? null
    if (error === null || error === reported.current) return
    reported.current = error
    onError?.(error.code)
  }
  const reportMissed = useEffectEvent(report)
  useEffect(() => reportMissed(), [])
  return report
}

function TouchAndMouse() {
  return (
    <>
      <Gesture type="tap" action="togglePaused" pointer="mouse" region="center" />
      <Gesture type="tap" action="toggleControls" pointer="touch" />
      <Gesture type="doubletap" action="seekStep" value={-10} pointer="touch" region="left" />
      <Gesture type="doubletap" action="toggleFullscreen" pointer="mouse" region="center" />
      <Gesture type="doubletap" action="seekStep" value={10} pointer="touch" region="right" />
    </>
  )
}

/** What the controls beyond the video need to know and to do. */
function useStage(props: PlayerProps, video: VideoRef) {
  const { steps = NO_STEPS, cuts = NO_CUTS, link, captionsUrl, keepAs, onPlayback } = props
  const trackRef = useRef<HTMLTrackElement>(null)
  const [isLooping, setIsLooping] = useState(false)
  const [hasKeysShown, setHasKeysShown] = useState(false)
  const notice = usePlayerNotice()
  const { hasKeys, pausesAtStepEnds, captionSize } = usePlayerSettings()
  usePlaybackReport(video, onPlayback)
  useKeptAudio(video)
  useKeptCaptions(trackRef, captionsUrl)
  useKeptPosition(video, keepAs)
  useStepPractice(video, { steps, isLooping, pausesAtEnds: pausesAtStepEnds })
  useMoreKeys(video, hasKeys)

  async function copyLink(address: string) {
    try {
      await navigator.clipboard.writeText(makeTimeLink(address, video.current?.currentTime ?? 0))
      notice.say(m.link_copied())
    } catch {
      // A page without https, or a browser setting, forbids it.
      notice.say(m.the_link_could_not_be())
    }
  }
  function hideKeys() {
    setHasKeysShown(false)
    // What opened it may be gone with its menu; the keys act in the player.
    if (document.activeElement === document.body) video.current?.closest<HTMLElement>('.player')?.focus()
  }
  const controls = {
    settings: props.settings,
    hasCaptions: captionsUrl !== undefined,
    isLooping,
    onLoop: setIsLooping,
    onCopyLink: link === undefined ? undefined : () => void copyLink(link),
    onShowKeys: () => setHasKeysShown(true),
  }
  return { trackRef, captionSize, steps, cuts, hasKeys, hasKeysShown, hideKeys, controls, notice: notice.text }
}

type VideoRef = RefObject<HTMLVideoElement | null>

/** On a dark ground of its own, since the frame behind it may be bright. */
function Buffering() {
  return (
    <BufferingIndicator
      className="pointer-events-none absolute inset-0 hidden place-items-center data-visible:grid"
      render={(indicator) => (
        <div {...indicator}>
          <span className="grid size-20 place-items-center rounded-full bg-screen/60">
            <Spinner className="size-12 text-on-screen" />
          </span>
        </div>
      )}
    />
  )
}

interface RarePartsProps extends Pick<PlayerProps, 'audioTracks' | 'keepAs' | 'captionsUrl'> {
  videoRef: VideoRef
  trackRef: RefObject<HTMLTrackElement | null>
  captionScale: number
  cuts: Cuts
}

/** What few browsers, or few trainings, need. */
function RareParts({ videoRef, trackRef, captionScale, cuts, audioTracks = [], keepAs, captionsUrl }: RarePartsProps) {
  const { isFastInPauses } = usePlayerSettings()
  return (
    <>
      <QuietPart>{IS_FIREFOX && <CaptionRoom {...{ trackRef, videoRef }} scale={captionScale} />}</QuietPart>
      <QuietPart>
        {audioTracks.length > 1 && <OtherTrackNote {...{ videoRef, keepAs }} tracks={audioTracks} />}
      </QuietPart>
      <QuietPart>{isFastInPauses && captionsUrl && <FastPauses {...{ videoRef, captionsUrl }} />}</QuietPart>
      <QuietPart>{cuts.length > 0 && <PassOverCuts {...{ videoRef, cuts }} />}</QuietPart>
    </>
  )
}

/** The player library with our own controls. Only {@link VideoPlayer} loads this. */
export function PlayerStage(props: PlayerProps) {
  const { videoRef, events } = useVideoPosition(props)
  const reportError = useErrorReport(videoRef, props.onError)
  const stage = useStage(props, videoRef)
  const { trackRef, captionSize, steps, cuts, hasKeys, hasKeysShown, hideKeys, controls, notice } = stage
  const { title, poster } = props
  return (
    <Player>
      <Container
        className="player absolute inset-0"
        aria-label={m.video_player_title({ title })}
        role="region"
        style={{ '--caption-scale': CAPTION_SCALES[captionSize] } as CSSProperties}
      >
        <AttachedVideo
          {...events}
          ref={videoRef}
          src={props.src}
          poster={poster}
          preload="metadata"
          playsInline
          aria-label={title}
          className="size-full object-contain"
          onError={reportError}
        >
          {props.captionsUrl !== undefined && (
            <track
              ref={trackRef}
              key={props.captionsUrl}
              kind="captions"
              src={props.captionsUrl}
              srcLang={props.captionsLanguage}
              label={m.captions()}
            />
          )}
        </AttachedVideo>
        <Buffering />
        <PlayerControls {...{ steps, cuts }} {...controls} />
        <QuietPart>{props.isResumed === true && <StartOver fromS={props.startAtS ?? 0} />}</QuietPart>
        <RareParts {...props} {...{ videoRef, trackRef, cuts }} captionScale={CAPTION_SCALES[captionSize]} />
        <PlayerNotice text={notice} />
        <TouchAndMouse />
        <MiniPlayer videoRef={videoRef} />
        <PlayerZoom {...{ videoRef, hasKeys }} />
        {hasKeys && <PlayerHotkeys steps={steps} onShowKeys={controls.onShowKeys} />}
        <StatusAnnouncer className="sr-only" />
      </Container>
      <LockScreen {...{ videoRef, title, poster, steps }} />
      {hasKeysShown && (
        <QuietPart>
          <KeysDialog pageKeys={props.pageKeys} onClose={hideKeys} />
        </QuietPart>
      )}
    </Player>
  )
}

/**
 * The element that the library's store follows. The library's own `Video` does no more, but comes with all of its
 * presets.
 */
function AttachedVideo({ ref, ...props }: ComponentProps<'video'>) {
  const attach = useMediaAttach()
  const both = useComposedRefs<HTMLVideoElement>(beginAtZero, ref, attach)
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- the captions are among the children, where there are any
  return <video {...props} ref={both} />
}

function beginAtZero(video: HTMLVideoElement | null): void {
  if (video !== null) countFromZero(video)
}

/** The address of a page with the moment at which its video begins. */
export function makeTimeLink(address: string, seconds: number): string {
  const link = new URL(address, document.baseURI)
  link.searchParams.set('t', String(Math.floor(seconds)))
  return link.href
}
